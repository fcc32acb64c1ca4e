import { Injectable, type OnModuleInit } from '@nestjs/common';
import { periodAfter, periodNamed, periodOf } from '#kernel/billing/period';
import { type RequestContext } from '#kernel/context/request-context';
import { type Page, type PageRequest } from '#kernel/cursor';
import { AppError } from '#kernel/errors/app-error';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { OrganizationSchedules, type OrganizationWork } from '#infra/jobs/shards/organization-schedules';
import { type LockedBillingAccount } from '../accounts/billing-account';
import { BillingAccountsRepository } from '../accounts/billing-accounts.repository';
import { FeesService } from '../plans/fees.service';
import { type BillingStatementEntity, StatementsRepository } from './statements.repository';
import { StorageMeterService } from './storage-meter.service';

/** Bounds one transaction, and the damage when an operator confirmed a wrong clock. The next run continues. */
const MAX_MONTHS_PER_RUN = 3;

/**
 * Closes calendar months: books the outstanding charges, creates the statement, and opens the next month. Reservations do not wait
 * for it, because spend caps reset by the clock.
 */
@Injectable()
export class PeriodsService implements OnModuleInit {
  constructor(
    private readonly accounts: BillingAccountsRepository,
    private readonly fees: FeesService,
    private readonly meter: StorageMeterService,
    private readonly repository: StatementsRepository,
    private readonly audit: AuditRecorder,
    private readonly schedules: OrganizationSchedules,
    private readonly transactions: Transactions,
  ) {}

  onModuleInit(): void {
    const work: OrganizationWork = {
      find: (ctx, page) => this.accounts.findWithEndedPeriod(ctx, page),
      run: (ctx, id) => this.closeEndedOf(ctx, id),
    };
    this.schedules.schedule('billing.close-periods', '*/5 * * * *', work, {
      begin: (ctx) => this.accounts.hasEndedPeriod(ctx),
    });
  }

  /** The statements of closed periods, newest first. */
  listStatements(
    ctx: RequestContext,
    organizationId: string,
    request: PageRequest,
  ): Promise<Page<BillingStatementEntity>> {
    return this.repository.list(ctx, organizationId, request);
  }

  /** Closes the ended periods of an organization, at most three per run, in one transaction. */
  private closeEndedOf(ctx: RequestContext, organizationId: string): Promise<unknown> {
    return this.transactions.run(ctx, async (tx) => this.catchUp(tx, await this.accounts.lock(tx, organizationId)));
  }

  /** See `BillingService.closeAccount`. */
  async closeAccount(tx: RequestContext, organizationId: string): Promise<LockedBillingAccount> {
    const account = await this.closeEnded(tx, await this.accounts.lock(tx, organizationId));
    const { now } = account;
    const period = periodOf(now);
    const metered = await this.meter.accrue(tx, account, period, now);
    const settled = await this.fees.settlePeriod(tx, metered, period, now);
    await this.repository.createStatement(tx, settled, period.name);
    const payload = { period: period.name, last: true };
    await this.audit.record(tx, { type: 'billing.period_closed', organizationId, payload });
    return settled;
  }

  /**
   * Closes the ended periods of a locked account, oldest first. Closed periods stay unchanged.
   * @throws AppError storage_backend_unavailable when more than three periods have ended: the schedule closes them, three per run.
   */
  async closeEnded(tx: RequestContext, account: LockedBillingAccount): Promise<LockedBillingAccount> {
    const current = await this.catchUp(tx, account);
    if (!hasEndedPeriod(current)) return current;
    throw new AppError('storage_backend_unavailable', {
      message: 'The past months of this organization are still being closed. Retry in some minutes.',
      cause: `the open period is ${current.openPeriod}`,
    });
  }

  /** Closes up to three ended periods of a locked account, oldest first. The account may have more. */
  async catchUp(tx: RequestContext, account: LockedBillingAccount): Promise<LockedBillingAccount> {
    let current = account;
    for (let closed = 0; closed < MAX_MONTHS_PER_RUN && hasEndedPeriod(current); closed += 1) {
      current = await this.close(tx, current);
    }
    return current;
  }

  private async close(tx: RequestContext, account: LockedBillingAccount): Promise<LockedBillingAccount> {
    const period = periodNamed(account.openPeriod);
    const metered = await this.meter.accrue(tx, account, period, period.end);
    const charged =
      metered.plan === 'business' ? await this.fees.settlePeriod(tx, metered, period, period.end) : metered;
    await this.repository.createStatement(tx, charged, period.name);
    const { organizationId } = account;
    await this.audit.record(tx, { type: 'billing.period_closed', organizationId, payload: { period: period.name } });

    const next = periodAfter(period);
    const isSpentOfNext = charged.spentPeriod >= next.name;
    const opened = {
      ...charged,
      openPeriod: next.name,
      ...(!isSpentOfNext && { spentPeriod: next.name, spentMicroUsd: 0n, alertedPercent: 0 }),
    };
    await this.accounts.save(tx, opened);
    return this.fees.chargeAhead(tx, opened, next, next.start);
  }
}

const hasEndedPeriod = ({ openPeriod, now }: LockedBillingAccount): boolean => openPeriod < periodOf(now).name;
