// What must be true of money at any time, as statements that return the faults.

const STATEMENTS = 'billing_statement';
const CHANGE = 'closing_balance_micro_usd - opening_balance_micro_usd';

export const INVARIANTS = {
  'the balance is the sum of the ledger': `
    SELECT organization_id FROM billing_account
    LEFT JOIN (SELECT organization_id, sum(amount_micro_usd) AS sum FROM ledger_entry GROUP BY 1) AS l USING (organization_id)
    WHERE balance_micro_usd <> coalesce(sum, 0)`,
  'every month from the first statement to the open one has a statement': `
    SELECT organization_id FROM billing_account JOIN (
      SELECT organization_id, count(*) AS count, min(period) AS first FROM ${STATEMENTS} GROUP BY 1) AS s USING (organization_id)
    WHERE count <> (
      SELECT count(*) FROM generate_series((first || '-01')::date, (open_period || '-01')::date - 1, interval '1 month'))`,
  'a statement opens with the balance with which the previous one closed': `
    SELECT organization_id FROM (
      SELECT organization_id, opening_balance_micro_usd AS opening,
        lag(closing_balance_micro_usd) OVER (PARTITION BY organization_id ORDER BY period) AS previous FROM ${STATEMENTS}) AS s
    WHERE opening <> coalesce(previous, 0)`,
  'a statement changes the balance by the entries of its period': `
    SELECT organization_id FROM ${STATEMENTS} AS s
    LEFT JOIN (SELECT organization_id, period, sum(amount_micro_usd) AS sum FROM ledger_entry GROUP BY 1, 2) AS l
      USING (organization_id, period)
    WHERE ${CHANGE} <> coalesce(sum, 0)`,
  'no closed period lacks its statement': `
    SELECT DISTINCT l.organization_id FROM ledger_entry AS l JOIN billing_account AS a USING (organization_id)
    LEFT JOIN ${STATEMENTS} AS s USING (organization_id, period) WHERE l.period < a.open_period AND s.id IS NULL`,
  // Fees and storage may make a balance negative: that of the neighbour, which pays nothing.
  'no balance of who pays in advance is negative, and no amount that may not be': `
    SELECT organization_id FROM billing_account AS a
    WHERE reserved_micro_usd < 0 OR spent_micro_usd < 0 OR plan = 'team' AND balance_micro_usd < 0
      AND EXISTS (SELECT FROM ledger_entry AS l WHERE l.organization_id = a.organization_id AND kind = 'top_up')`,
  'the spending is the usage of its period': `
    SELECT organization_id FROM billing_account AS a
    LEFT JOIN (
      SELECT organization_id, period, -sum(amount_micro_usd) AS usage FROM ledger_entry WHERE quantity IS NOT NULL GROUP BY 1, 2) AS u
      USING (organization_id) WHERE u.period = a.spent_period AND usage <> spent_micro_usd`,
};

/** @returns a sentence for each invariant that does not hold. */
export async function brokenInvariants(database) {
  const broken = [];
  for (const [sentence, faults] of Object.entries(INVARIANTS)) {
    const { rows } = await database.query(
      `SELECT count(*)::int AS count, min(organization_id::text) AS one FROM (${faults}) AS f`,
    );
    if (rows[0].count > 0)
      broken.push(`${sentence}: false for ${rows[0].count} organizations, for example ${rows[0].one}`);
  }
  return broken;
}
