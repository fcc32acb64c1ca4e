import { Injectable } from '@nestjs/common';
import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type BillingFault } from './billing-faults';

/** The closed months of an organization that the nightly check has verified. */
@Entity('billing_check')
export class BillingCheckEntity {
  @ForeignKey('BillingAccountEntity', { name: 'fk_billing_check_account', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'organization_id', primaryKeyConstraintName: 'pk_billing_check' })
  organizationId: string;

  /** All closed months to this one are verified. Empty when none is. */
  @Column('text', { name: 'verified_period' })
  verifiedPeriod: string;

  /** When the verification began with the first month. */
  @Column({ type: 'timestamptz', name: 'started_at', precision: 3 })
  startedAt: Date;
}

/** A closed month, as its statement and its entries say. */
export interface ClosedMonth {
  readonly period: string;
  readonly fault: BillingFault | null;
}

interface MonthRow {
  readonly period: string;
  readonly expected: string;
  readonly actual: string;
  readonly isSound: boolean;
}

/** All months are verified again after this time. */
const VERIFIED_FOR = `interval '28 days'`;

/** A start in the future was set by a wrong clock, and would put off the verification for as long. */
const IS_DUE = `started_at NOT BETWEEN (SELECT app_now()) - ${VERIFIED_FOR} AND (SELECT app_now()) + interval '1 day'`;

/**
 * The first verification is dated back by a part of that time, which depends on the id, so that the organizations of an installation are
 * verified again on different nights.
 */
const FIRST_START = `app_now() - (uuid_hash($1::uuid) & 1023) * ${VERIFIED_FOR} / 1024`;

/**
 * Verifies the statements of the months after $2, at most $3, each by the index of its entries. Entries of months without a statement count
 * with the next one, so that every entry counts.
 */
const MONTHS = `
  SELECT s.period, (coalesce(before.balance, 0) + booked.amount)::text AS expected, s.closing_balance_micro_usd::text AS actual,
    s.closing_balance_micro_usd = coalesce(before.balance, 0) + booked.amount
      AND s.opening_balance_micro_usd = coalesce(before.balance, 0) AS "isSound"
  FROM (
    SELECT period, opening_balance_micro_usd, closing_balance_micro_usd FROM billing_statement
    WHERE organization_id = $1 AND period > $2 ORDER BY period LIMIT $3) s
  LEFT JOIN LATERAL (
    SELECT period, closing_balance_micro_usd AS balance FROM billing_statement b
    WHERE b.organization_id = $1 AND b.period < s.period ORDER BY b.period DESC LIMIT 1) before ON true
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(amount_micro_usd), 0) AS amount FROM ledger_entry l
    WHERE l.organization_id = $1 AND l.period > coalesce(before.period, '') AND l.period <= s.period) booked
  ORDER BY s.period`;

@Injectable()
export class BillingChecksRepository {
  constructor(private readonly transactions: Transactions) {}

  /** The last month that is verified. Begins the verification with the first month if there was none, or the last one is 28 days old. */
  async begin(ctx: RequestContext, organizationId: string): Promise<string> {
    const manager = this.transactions.manager(ctx);
    const current = await one<{ period: string }>(
      manager,
      `SELECT verified_period AS period FROM billing_check WHERE organization_id = $1 AND NOT (${IS_DUE})`,
      [organizationId],
    );
    if (current) return current.period;
    await rows(
      manager,
      `INSERT INTO billing_check AS c (organization_id, verified_period, started_at)
       SELECT organization_id, '', ${FIRST_START} FROM billing_account WHERE organization_id = $1
       ON CONFLICT (organization_id) DO UPDATE SET verified_period = '', started_at = app_now()`,
      [organizationId],
    );
    return '';
  }

  /** Marks the closed months to a period as verified. */
  async verify(ctx: RequestContext, organizationId: string, period: string): Promise<void> {
    const statement = 'UPDATE billing_check SET verified_period = $2 WHERE organization_id = $1';
    await rows(this.transactions.manager(ctx), statement, [organizationId, period]);
  }

  /** Compares closed months with their entries, oldest first. @param after the months after this period. */
  async months(
    ctx: RequestContext,
    organizationId: string,
    after: string,
    limit: number,
  ): Promise<readonly ClosedMonth[]> {
    const months = await rows<MonthRow>(this.transactions.manager(ctx), MONTHS, [organizationId, after, limit]);
    return months.map(({ period, isSound, expected, actual }) => ({
      period,
      fault: isSound ? null : { organizationId, rule: 'statement', period, expected, actual },
    }));
  }
}
