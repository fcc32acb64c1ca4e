import { Injectable } from '@nestjs/common';
import { Check, Column, Entity, ForeignKey, In, Index, PrimaryColumn, type Repository } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { assignmentsOf, changed, columnsOf, one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { inPage, pageParameters, type ShardPage } from '#infra/jobs/shards/shard';
import { type Plan } from '../plans/plan';
import { type BillingAccount, type BillingAccountSnapshot, type LockedBillingAccount } from './billing-account';

/** The billing account of an organization. Every reservation updates this row, so transactions must hold its lock only briefly. */
@Entity('billing_account')
@Check('ck_billing_account_plan', `plan IN ('team', 'business')`)
@Check('ck_billing_account_amounts', `reserved_micro_usd >= 0 AND spent_micro_usd >= 0 AND spend_cap_micro_usd >= 0`)
@Check('ck_billing_account_periods', `open_period <= spent_period`)
@Index('ix_billing_account_open_period', ['openPeriod'])
export class BillingAccountEntity {
  @ForeignKey('OrganizationEntity', { name: 'fk_billing_account_organization', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'organization_id', primaryKeyConstraintName: 'pk_billing_account' })
  organizationId: string;

  @Column('text')
  plan: Plan;

  @Column({ type: 'timestamptz', name: 'plan_since', precision: 3 })
  planSince: Date;

  /** The sum of the ledger entries. */
  @Column('bigint', { name: 'balance_micro_usd' })
  balanceMicroUsd: string;

  /** The sum of the active reservations. */
  @Column('bigint', { name: 'reserved_micro_usd' })
  reservedMicroUsd: string;

  @Column('bigint', { name: 'spend_cap_micro_usd', nullable: true })
  spendCapMicroUsd: string | null;

  @Column('integer', { name: 'budget_alert_percents', array: true })
  budgetAlertPercents: number[];

  /** Usage charged in `spent_period`. */
  @Column('bigint', { name: 'spent_micro_usd' })
  spentMicroUsd: string;

  @Column('text', { name: 'spent_period' })
  spentPeriod: string;

  /** The highest budget threshold for which an alert was sent in `spent_period`; 0 when none was. */
  @Column('integer', { name: 'alerted_percent' })
  alertedPercent: number;

  /** The oldest period that is not closed. */
  @Column('text', { name: 'open_period' })
  openPeriod: string;

  @Column('boolean')
  metered: boolean;

  @Column('boolean', { name: 'fee_waived' })
  feeWaived: boolean;

  /** The period whose fee the members were warned about. */
  @Column('text', { name: 'fee_warning_period', nullable: true })
  feeWarningPeriod: string | null;
}

export type BillingAccountRow = BillingAccountEntity & { readonly now: Date };

/**
 * The database's clock, which all processes share; the time of the last sweep while that clock is in doubt. Milliseconds are whole, so
 * that storage is metered exactly.
 */
const NOW = `date_trunc('milliseconds', billing_now())`;

@Injectable()
export class BillingAccountsRepository {
  constructor(private readonly transactions: Transactions) {}

  async insert(ctx: RequestContext, account: BillingAccount): Promise<void> {
    await this.accounts(ctx).insert(rowOf(account));
  }

  /** Reads the account without a lock. @throws AppError permission_denied when the organization does not exist. */
  async get(ctx: RequestContext, organizationId: string): Promise<BillingAccountSnapshot> {
    return required(await this.select(ctx, 'organization_id = $1', organizationId));
  }

  /**
   * Locks the account's row: until the transaction ends, only this transaction changes the account. A transaction that also locks
   * reservations must lock the account first.
   * @throws AppError permission_denied when the organization does not exist.
   */
  async lock(ctx: RequestContext, organizationId: string): Promise<LockedBillingAccount> {
    return required(await this.select(ctx, 'organization_id = $1 FOR NO KEY UPDATE', organizationId));
  }

  /** The SELECT of `lock`, for statements that lock an account and change something of it. Its rows become accounts by `fromRow`. */
  lockedSelect(ctx: RequestContext, condition: string): string {
    return this.selectOf(ctx, `${condition} FOR NO KEY UPDATE`);
  }

  fromRow(row: BillingAccountRow): LockedBillingAccount {
    return {
      ...row,
      balanceMicroUsd: BigInt(row.balanceMicroUsd),
      reservedMicroUsd: BigInt(row.reservedMicroUsd),
      spendCapMicroUsd: row.spendCapMicroUsd === null ? null : BigInt(row.spendCapMicroUsd),
      spentMicroUsd: BigInt(row.spentMicroUsd),
    };
  }

  async save(ctx: RequestContext, account: BillingAccount): Promise<void> {
    const { assignments, values } = this.assignmentsOf(ctx, account, 2);
    const statement = `UPDATE billing_account SET ${assignments} WHERE organization_id = $1`;
    await changed(this.transactions.manager(ctx), statement, [account.organizationId, ...values]);
  }

  /** Part of statements that also write other tables. @param first the number of the first parameter. */
  assignmentsOf(ctx: RequestContext, account: BillingAccount, first: number): ReturnType<typeof assignmentsOf> {
    return assignmentsOf(this.accounts(ctx).metadata, rowOf(account), first);
  }

  /** Keyed by organization id. Organizations that do not exist are skipped. */
  async findPlans(ctx: RequestContext, organizationIds: readonly string[]): Promise<ReadonlyMap<string, Plan>> {
    const accounts = await this.accounts(ctx).find({
      where: { organizationId: In([...organizationIds]) },
      select: { organizationId: true, plan: true },
    });
    return new Map(accounts.map((account) => [account.organizationId, account.plan]));
  }

  async findPlan(ctx: RequestContext, organizationId: string): Promise<Plan | null> {
    return (await this.findPlans(ctx, [organizationId])).get(organizationId) ?? null;
  }

  /**
   * Whether the organization has any credit besides the trial credit: a paid top-up, credit that an operator granted, or a fee that an
   * operator waived.
   */
  async hasPayment(ctx: RequestContext, organizationId: string): Promise<boolean> {
    const row = await one<{ paid: boolean }>(
      this.transactions.manager(ctx),
      `SELECT fee_waived OR EXISTS (
         SELECT FROM ledger_entry l WHERE l.organization_id = a.organization_id AND kind IN ('top_up', 'grant') AND amount_micro_usd > 0
       ) AS paid FROM billing_account a WHERE organization_id = $1`,
      [organizationId],
    );
    return row?.paid ?? false;
  }

  /** Ids of the organizations with an account. */
  findPage(ctx: RequestContext, page: ShardPage): Promise<readonly string[]> {
    return this.find(ctx, page, 'true');
  }

  /** Whether any organization has an ended period that is not closed. */
  async hasEndedPeriod(ctx: RequestContext): Promise<boolean> {
    const row = await one<{ due: boolean }>(
      this.transactions.manager(ctx),
      `SELECT coalesce(min(open_period) < to_char(billing_now() AT TIME ZONE 'UTC', 'YYYY-MM'), false) AS due FROM billing_account`,
    );
    return row!.due;
  }

  /** Ids of the organizations with an ended period that is not closed. */
  findWithEndedPeriod(ctx: RequestContext, page: ShardPage): Promise<readonly string[]> {
    return this.find(ctx, page, `open_period < (SELECT to_char(billing_now() AT TIME ZONE 'UTC', 'YYYY-MM'))`);
  }

  /**
   * Ids of the organizations on a plan that pay its fee and whose balance it would take to zero or below.
   * @param period the period of the fee. Organizations whose members were warned about it are skipped.
   */
  async findLackingFee(
    ctx: RequestContext,
    plan: Plan,
    feeMicroUsd: bigint,
    period: string,
  ): Promise<readonly string[]> {
    const accounts = await rows<{ organizationId: string }>(
      this.transactions.manager(ctx),
      `SELECT organization_id AS "organizationId" FROM billing_account
       WHERE plan = $1 AND NOT fee_waived AND balance_micro_usd <= $2 AND fee_warning_period IS DISTINCT FROM $3
       ORDER BY organization_id`,
      [plan, String(feeMicroUsd), period],
    );
    return accounts.map(({ organizationId }) => organizationId);
  }

  /** Ids of the organizations on the business plan without a spend cap. */
  async findWithoutCap(ctx: RequestContext): Promise<readonly string[]> {
    const accounts = await rows<{ organizationId: string }>(
      this.transactions.manager(ctx),
      `SELECT organization_id AS "organizationId" FROM billing_account
       WHERE plan = 'business' AND spend_cap_micro_usd IS NULL ORDER BY organization_id`,
    );
    return accounts.map(({ organizationId }) => organizationId);
  }

  /** The database's clock, in whole milliseconds. */
  async now(ctx: RequestContext): Promise<Date> {
    const [row] = (await rows(this.transactions.manager(ctx), `SELECT ${NOW} AS now`)) as [{ now: Date }];
    return row.now;
  }

  /**
   * Keeps the plan unchanged until the transaction ends; several transactions may do so concurrently. An advisory lock, not a lock on
   * the account's row: reservations continue, and two holders that both charge the account do not deadlock.
   */
  async lockPlanShared(ctx: RequestContext, organizationId: string): Promise<void> {
    await rows(this.transactions.manager(ctx), 'SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 0))', [
      planLockKey(organizationId),
    ]);
  }

  /** Waits for the transactions that hold `lockPlanShared`, and blocks new ones until this transaction ends. */
  lockPlanExclusive(ctx: RequestContext, organizationId: string): Promise<void> {
    return this.transactions.advisoryLock(ctx, planLockKey(organizationId));
  }

  private async find(ctx: RequestContext, page: ShardPage, condition: string): Promise<readonly string[]> {
    const accounts = await rows<{ organizationId: string }>(
      this.transactions.manager(ctx),
      `SELECT organization_id AS "organizationId" FROM billing_account
       WHERE ${inPage('organization_id', 1)} AND ${condition} ORDER BY organization_id LIMIT $3`,
      [...pageParameters(page), page.limit],
    );
    return accounts.map(({ organizationId }) => organizationId);
  }

  private async select(ctx: RequestContext, where: string, id: string): Promise<BillingAccountSnapshot | null> {
    const row = await one<BillingAccountRow>(this.transactions.manager(ctx), this.selectOf(ctx, where), [id]);
    return row && this.fromRow(row);
  }

  private selectOf(ctx: RequestContext, where: string): string {
    const columns = columnsOf(this.accounts(ctx).metadata);
    return `SELECT ${columns}, ${NOW} AS now FROM billing_account WHERE ${where}`;
  }

  private accounts(ctx: RequestContext): Repository<BillingAccountEntity> {
    return this.transactions.manager(ctx).getRepository(BillingAccountEntity);
  }
}

const planLockKey = (organizationId: string): string => `plan|${organizationId}`;

function required(account: BillingAccountSnapshot | null): BillingAccountSnapshot {
  if (!account) throw new AppError('permission_denied');
  return account;
}

const rowOf = (account: BillingAccount): BillingAccountEntity => ({
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
  feeWarningPeriod: account.feeWarningPeriod,
});
