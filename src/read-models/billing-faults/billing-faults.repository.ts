import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type BillingFault, BillingFaults } from '#modules/billing';

/** Whether a `stored_build` is in the hosted store. Open uploads are, and have no build. */
const IN_HOSTED_STORE = `NOT EXISTS (
  SELECT FROM build WHERE build.id = b.build_id AND build.storage_account <> 'hosted')`;

/** One statement, because its snapshot contains each concurrent transaction completely or not at all. */
const FAULTS = `
  WITH ledger AS (SELECT organization_id, sum(amount_micro_usd) AS balance FROM ledger_entry GROUP BY 1),
  usage AS (
    SELECT organization_id, period, -sum(amount_micro_usd) AS spent FROM ledger_entry
    WHERE quantity IS NOT NULL GROUP BY 1, 2),
  reserved AS (
    SELECT organization_id, sum(amount_micro_usd) AS reserved FROM reservation WHERE state = 'active' GROUP BY 1),
  stored AS (
    SELECT organization_id, count(*) AS builds FROM stored_build b WHERE ${IN_HOSTED_STORE} GROUP BY 1),
  metered AS (
    SELECT i.organization_id, count(b.build_id) AS builds, count(*) AS open FROM storage_interval i
    LEFT JOIN stored_build b ON b.build_id = i.build_id AND b.organization_id = i.organization_id
      AND b.size_bytes = i.size_bytes AND ${IN_HOSTED_STORE}
    WHERE i.ended_at IS NULL GROUP BY 1),
  book AS (
    SELECT a.organization_id, a.balance_micro_usd, coalesce(l.balance, 0) AS ledger,
      a.reserved_micro_usd, coalesce(r.reserved, 0) AS reserved, a.spent_micro_usd, coalesce(u.spent, 0) AS spent,
      CASE WHEN a.metered THEN coalesce(s.builds, 0) ELSE 0 END AS stored,
      coalesce(m.builds, 0) AS metered, coalesce(m.open, 0) AS open
    FROM billing_account a
    LEFT JOIN ledger l USING (organization_id) LEFT JOIN reserved r USING (organization_id)
    LEFT JOIN stored s USING (organization_id) LEFT JOIN metered m USING (organization_id)
    LEFT JOIN usage u ON u.organization_id = a.organization_id AND u.period = a.spent_period)
  SELECT organization_id AS "organizationId", 'balance' AS rule, ledger::text AS expected, balance_micro_usd::text AS actual
    FROM book WHERE balance_micro_usd <> ledger
  UNION ALL SELECT organization_id, 'reserved', reserved::text, reserved_micro_usd::text
    FROM book WHERE reserved_micro_usd <> reserved
  UNION ALL SELECT organization_id, 'spent', spent::text, spent_micro_usd::text FROM book WHERE spent_micro_usd <> spent
  UNION ALL SELECT organization_id, 'storage', stored::text, open::text FROM book WHERE stored <> metered OR open <> metered`;

@Injectable()
export class BillingFaultsRepository extends BillingFaults {
  constructor(private readonly transactions: Transactions) {
    super();
  }

  find(ctx: RequestContext): Promise<readonly BillingFault[]> {
    return rows(this.transactions.manager(ctx), FAULTS);
  }
}
