// A year of money: ledger entries of closed months and of the current one, statements, and balances that are their sums.

/** Each organization pays in advance each month, so that no prepaid balance becomes negative. */
const TOP_UP = 1_000_000_000;

/** The months before the first one that the service has booked, and the current one. */
const MONTHS = `
  CREATE TEMP TABLE month AS
  SELECT a.organization_id, a.plan, to_char(start, 'YYYY-MM') AS period, start, start = date_trunc('month', now()) AS is_current
  FROM billing_account AS a
  LEFT JOIN (SELECT organization_id, min(period) AS first FROM ledger_entry GROUP BY 1) AS l USING (organization_id),
    generate_series(date_trunc('month', now()) - interval '12 months', date_trunc('month', now()), '1 month') AS start
  WHERE l.first IS NULL OR to_char(start, 'YYYY-MM') < l.first OR start = date_trunc('month', now())`;

/** Storage of the current month is not booked yet: the nightly job is due. */
const entries = (perMonth) => `
  INSERT INTO ledger_entry (id, organization_id, kind, amount_micro_usd, quantity, period, reference, created_at)
  SELECT uuidv7(time - now()), organization_id, kind, amount, CASE WHEN kind LIKE 'usage%' THEN 1000000 END, period,
    'filled ' || period || ' ' || n, time
  FROM (
    SELECT m.organization_id, m.period, e.n, e.kind,
      CASE e.kind WHEN 'top_up' THEN ${TOP_UP} WHEN 'plan_fee' THEN -5000000 ELSE -1000 - e.n END AS amount,
      m.start + (least(now(), m.start + interval '1 month') - m.start) * (e.n / ${perMonth + 1}.0) AS time
    FROM month AS m, (
      SELECT n, CASE WHEN n = 0 THEN 'top_up' WHEN n = 1 THEN 'plan_fee'
        ELSE (ARRAY['usage_storage', 'usage_upload', 'usage_download'])[n % 3 + 1] END AS kind
      FROM generate_series(0, ${perMonth} - 1) AS n) AS e
    WHERE NOT (m.is_current AND e.kind IN ('usage_storage', 'plan_fee'))
    ORDER BY time) AS x`;

/** The downloads of the hot organization, each with its charge. */
const HOT_ENTRIES = `
  INSERT INTO ledger_entry (id, organization_id, kind, amount_micro_usd, quantity, period, reference, created_at)
  SELECT uuidv7(started_at - now()), organization_id, 'usage_download', -120, 1000000, to_char(started_at AT TIME ZONE 'UTC', 'YYYY-MM'),
    ticket_id::text, started_at
  FROM build_download WHERE organization_id = $1
    AND to_char(started_at AT TIME ZONE 'UTC', 'YYYY-MM') IN (SELECT period FROM month WHERE organization_id = $1)`;

const amountOf = (kinds) => `coalesce(sum(amount_micro_usd) FILTER (WHERE kind IN ('${kinds.join("', '")}')), 0)`;
const quantityOf = (kind) => `coalesce(sum(quantity) FILTER (WHERE kind = '${kind}'), 0)`;
const CREDITS = ['trial_credit', 'top_up', 'grant'];
const STATEMENTS = `
  INSERT INTO billing_statement (id, organization_id, period, plan, opening_balance_micro_usd, credits_micro_usd, fees_micro_usd,
    storage_micro_usd, upload_micro_usd, download_micro_usd, closing_balance_micro_usd, storage_byte_ms, upload_bytes, download_bytes,
    created_at)
  SELECT uuidv7(start + interval '1 month' - now()), organization_id, period, plan, closing - change, credits, fees, storage, upload, download,
    closing, storage_byte_ms, upload_bytes, download_bytes, start + interval '1 month'
  FROM (
    SELECT *, sum(change) OVER (PARTITION BY organization_id ORDER BY period)::bigint AS closing FROM (
      SELECT m.organization_id, m.period, m.plan, m.start, sum(amount_micro_usd)::bigint AS change, ${amountOf(CREDITS)} AS credits,
        -${amountOf(['plan_fee'])} AS fees, -${amountOf(['usage_storage'])} AS storage, -${amountOf(['usage_upload'])} AS upload,
        -${amountOf(['usage_download'])} AS download, ${quantityOf('usage_storage')} AS storage_byte_ms,
        ${quantityOf('usage_upload')} AS upload_bytes, ${quantityOf('usage_download')} AS download_bytes
      FROM month AS m JOIN ledger_entry AS l USING (organization_id, period) WHERE NOT m.is_current GROUP BY 1, 2, 3, 4) AS monthly) AS summed`;

/** The service may have closed a month of the hot organization before: it follows the months that were added. */
const FOLLOWING = `
  UPDATE billing_statement AS s SET opening_balance_micro_usd = opening_balance_micro_usd + added.closing,
    closing_balance_micro_usd = closing_balance_micro_usd + added.closing
  FROM (
    SELECT DISTINCT ON (organization_id) organization_id, period, closing_balance_micro_usd AS closing FROM billing_statement
    JOIN month USING (organization_id, period) ORDER BY organization_id, period DESC) AS added
  WHERE s.organization_id = added.organization_id AND s.period > added.period`;

const BALANCES = `
  UPDATE billing_account AS a SET balance_micro_usd = l.balance, spent_micro_usd = l.spent
  FROM (
    SELECT organization_id, sum(amount_micro_usd) AS balance,
      coalesce(-sum(amount_micro_usd) FILTER (WHERE quantity IS NOT NULL AND period = to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM')), 0) AS spent
    FROM ledger_entry GROUP BY 1) AS l WHERE a.organization_id = l.organization_id`;

export async function fillMoney(database, { organization, sizes }) {
  await database.query(MONTHS);
  await database.query('ANALYZE month');
  await database.query(entries(sizes.ledgerEntriesPerMonth));
  await database.query(HOT_ENTRIES, [organization]);
  await database.query('ANALYZE ledger_entry');
  for (const statement of [STATEMENTS, FOLLOWING, BALANCES]) await database.query(statement);
}
