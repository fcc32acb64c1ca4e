import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type BillingFault, BillingFaults } from '#modules/billing';

/** Whether a `stored_build` is in the hosted store. Open uploads are, and have no build. */
const IN_HOSTED_STORE = `NOT EXISTS (
  SELECT FROM build WHERE build.id = b.build_id AND build.organization_id = $1 AND build.storage_account <> 'hosted')`;

/** One statement, because its snapshot contains each concurrent transaction completely or not at all. */
const MONEY = `
  WITH book AS (
    SELECT a.*, coalesce(closed.balance, 0) + ledger.balance AS balance, ledger.spent, reserved.amount AS reserved
    FROM billing_account a
    LEFT JOIN LATERAL (
      SELECT period, closing_balance_micro_usd AS balance FROM billing_statement s
      WHERE s.organization_id = a.organization_id AND s.period < a.open_period ORDER BY period DESC LIMIT 1) closed ON true
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(amount_micro_usd), 0) AS balance,
        coalesce(-sum(amount_micro_usd) FILTER (WHERE quantity IS NOT NULL AND l.period = a.spent_period), 0) AS spent
      FROM ledger_entry l
      WHERE l.organization_id = a.organization_id AND l.period > coalesce(closed.period, '')) ledger
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(amount_micro_usd), 0) AS amount FROM reservation r
      WHERE r.organization_id = a.organization_id AND r.state = 'active') reserved
    WHERE a.organization_id = $1)
  SELECT organization_id AS "organizationId", 'balance' AS rule, balance::text AS expected, balance_micro_usd::text AS actual
    FROM book WHERE balance_micro_usd <> balance
  UNION ALL SELECT organization_id, 'reserved', reserved::text, reserved_micro_usd::text
    FROM book WHERE reserved_micro_usd <> reserved
  UNION ALL SELECT organization_id, 'spent', spent::text, spent_micro_usd::text FROM book WHERE spent_micro_usd <> spent`;

/** Each build in the hosted store has exactly one open interval, of its size, while the organization is metered. */
const STORAGE = `
  WITH stored AS (
    SELECT build_id, size_bytes FROM stored_build b WHERE organization_id = $1 AND ${IN_HOSTED_STORE}),
  open AS (SELECT build_id, size_bytes FROM storage_interval WHERE organization_id = $1 AND ended_at IS NULL),
  counts AS (
    SELECT CASE WHEN metered THEN (SELECT count(*) FROM stored) ELSE 0 END AS stored, (SELECT count(*) FROM open) AS open,
      (SELECT count(*) FROM open JOIN stored USING (build_id, size_bytes)) AS metered
    FROM billing_account WHERE organization_id = $1)
  SELECT $1 AS "organizationId", 'storage' AS rule, stored::text AS expected, open::text AS actual
  FROM counts WHERE stored <> metered OR open <> metered`;

@Injectable()
export class BillingFaultsRepository extends BillingFaults {
  constructor(private readonly transactions: Transactions) {
    super();
  }

  async ofAccount(ctx: RequestContext, organizationId: string): Promise<readonly BillingFault[]> {
    const manager = this.transactions.manager(ctx);
    const money = await rows<BillingFault>(manager, MONEY, [organizationId]);
    return [...money, ...(await rows<BillingFault>(manager, STORAGE, [organizationId]))];
  }
}
