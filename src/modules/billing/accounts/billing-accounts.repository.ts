import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { Transactions } from '#infra/database/transactions';
import { type Account, type LockedAccount } from './billing-account';
import { BillingAccountEntity } from './billing-account.entity';
import { type Plan } from '../plans/plan';

type LockedRow = BillingAccountEntity & { readonly now: Date };

const COLUMNS = `organization_id AS "organizationId", plan, plan_since AS "planSince", balance_micro_usd AS "balanceMicroUsd",
  reserved_micro_usd AS "reservedMicroUsd", spend_cap_micro_usd AS "spendCapMicroUsd",
  budget_alert_percents AS "budgetAlertPercents", spent_micro_usd AS "spentMicroUsd", spent_period AS "spentPeriod",
  alerted_percent AS "alertedPercent", open_period AS "openPeriod", metered, fee_waived AS "feeWaived",
  date_trunc('milliseconds', app_now()) AS now`;

@Injectable()
export class BillingAccountsRepository {
  constructor(private readonly transactions: Transactions) {}

  async insert(ctx: RequestContext, account: Account): Promise<void> {
    await this.transactions.manager(ctx).insert(BillingAccountEntity, rowOf(account));
  }

  /** The account as it is, and when that was. @throws AppError permission_denied for none: there is no such organization. */
  get(ctx: RequestContext, organizationId: string): Promise<LockedAccount> {
    return this.select(ctx, `WHERE organization_id = $1`, organizationId);
  }

  /**
   * Takes the account's lock, after which nothing of it changes but by this transaction. Always before the lock of a
   * reservation: whoever has both has taken them in this order.
   */
  lock(ctx: RequestContext, organizationId: string): Promise<LockedAccount> {
    return this.select(ctx, `WHERE organization_id = $1 FOR NO KEY UPDATE`, organizationId);
  }

  /** The lock of the account that a reservation counts against; null when there is no such reservation. */
  async lockOfReservation(ctx: RequestContext, reservationId: string): Promise<LockedAccount | null> {
    const rows: LockedRow[] = await this.transactions.manager(ctx).query(
      `SELECT ${COLUMNS} FROM billing_account
         WHERE organization_id = (SELECT organization_id FROM reservation WHERE id = $1) FOR NO KEY UPDATE`,
      [reservationId],
    );
    return rows[0] ? accountFromRow(rows[0]) : null;
  }

  async save(ctx: RequestContext, account: Account): Promise<void> {
    const { organizationId, ...columns } = rowOf(account);
    await this.transactions.manager(ctx).update(BillingAccountEntity, { organizationId }, columns);
  }

  async findPlans(ctx: RequestContext, organizationIds: readonly string[]): Promise<ReadonlyMap<string, Plan>> {
    const accounts = await this.transactions.manager(ctx).find(BillingAccountEntity, {
      where: { organizationId: In([...organizationIds]) },
      select: { organizationId: true, plan: true },
    });
    return new Map(accounts.map((account) => [account.organizationId, account.plan]));
  }

  async findPlan(ctx: RequestContext, organizationId: string): Promise<Plan | null> {
    return (await this.findPlans(ctx, [organizationId])).get(organizationId) ?? null;
  }

  /** Organizations that have a period to close, by the clock of the database: the oldest first. */
  async findWithEndedPeriod(ctx: RequestContext): Promise<readonly string[]> {
    const rows: { organization_id: string }[] = await this.transactions.manager(ctx).query(
      `SELECT organization_id FROM billing_account WHERE open_period < to_char(app_now() AT TIME ZONE 'UTC', 'YYYY-MM')
         ORDER BY open_period`,
    );
    return rows.map(({ organization_id }) => organization_id);
  }

  /** The database's clock, which all processes share, in whole milliseconds. */
  async now(ctx: RequestContext): Promise<Date> {
    const [row] = await this.transactions
      .manager(ctx)
      .query<[{ now: Date }]>(`SELECT date_trunc('milliseconds', app_now()) AS now`);
    return row.now;
  }

  /**
   * The plan stays what it is until the transaction ends; others may hold it so, too. A lock of its own, not the account's
   * row: admissions go on, and a holder may charge the account without meeting another holder who wants the same.
   */
  async keepPlan(ctx: RequestContext, organizationId: string): Promise<void> {
    await this.transactions
      .manager(ctx)
      .query('SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 0))', [planTurn(organizationId)]);
  }

  /** Waits until nobody keeps the plan, and keeps it from everybody else until the transaction ends. */
  lockPlan(ctx: RequestContext, organizationId: string): Promise<void> {
    return this.transactions.advisoryLock(ctx, planTurn(organizationId));
  }

  private async select(ctx: RequestContext, where: string, organizationId: string): Promise<LockedAccount> {
    const rows: LockedRow[] = await this.transactions
      .manager(ctx)
      .query(`SELECT ${COLUMNS} FROM billing_account ${where}`, [organizationId]);
    if (!rows[0]) throw new AppError('permission_denied');
    return accountFromRow(rows[0]);
  }
}

const planTurn = (organizationId: string): string => `plan|${organizationId}`;

const accountFromRow = (row: LockedRow): LockedAccount => ({
  ...row,
  balanceMicroUsd: BigInt(row.balanceMicroUsd),
  reservedMicroUsd: BigInt(row.reservedMicroUsd),
  spendCapMicroUsd: row.spendCapMicroUsd === null ? null : BigInt(row.spendCapMicroUsd),
  spentMicroUsd: BigInt(row.spentMicroUsd),
});

const rowOf = (account: Account): BillingAccountEntity => ({
  organizationId: account.organizationId,
  plan: account.plan,
  planSince: account.planSince,
  balanceMicroUsd: String(account.balanceMicroUsd),
  reservedMicroUsd: String(account.reservedMicroUsd),
  spendCapMicroUsd: account.spendCapMicroUsd === null ? null : String(account.spendCapMicroUsd),
  budgetAlertPercents: [...account.budgetAlertPercents],
  spentMicroUsd: String(account.spentMicroUsd),
  spentPeriod: account.spentPeriod,
  alertedPercent: account.alertedPercent,
  openPeriod: account.openPeriod,
  metered: account.metered,
  feeWaived: account.feeWaived,
});
