import { Injectable, type OnModuleInit } from '@nestjs/common';
import { periodAfter, periodNamed, periodOf } from '#kernel/billing/period';
import { type RequestContext } from '#kernel/context/request-context';
import { type Page, type PageRequest } from '#kernel/cursor';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { Jobs } from '#infra/jobs/jobs';
import { forEachCollectingErrors } from '#infra/jobs/for-each-collecting-errors';
import { type LockedAccount } from '../accounts/billing-account';
import { BillingAccountsRepository } from '../accounts/billing-accounts.repository';
import { type BillingStatementEntity } from './billing-statement.entity';
import { FeesService } from '../plans/fees.service';
import { StatementsRepository } from './statements.repository';
import { StorageMeterService } from '../storage-metering/storage-meter.service';

/**
 * Calendar months as they end: what is still to be charged is, a statement is drawn up, the next one begins. Admission does not
 * wait for it: caps begin anew by the clock.
 */
@Injectable()
export class PeriodsService implements OnModuleInit {
  constructor(
    private readonly accounts: BillingAccountsRepository,
    private readonly fees: FeesService,
    private readonly meter: StorageMeterService,
    private readonly repository: StatementsRepository,
    private readonly audit: AuditRecorder,
    private readonly jobs: Jobs,
    private readonly transactions: Transactions,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('billing.close-periods', '*/5 * * * *', (ctx) => this.closeAll(ctx));
  }

  /** The statements of closed periods, newest first. */
  statements(ctx: RequestContext, organizationId: string, request: PageRequest): Promise<Page<BillingStatementEntity>> {
    return this.repository.page(ctx, organizationId, request);
  }

  /** Closes every period that has ended, each organization's in transactions of its own. */
  async closeAll(ctx: RequestContext): Promise<void> {
    await forEachCollectingErrors(await this.accounts.findWithEndedPeriod(ctx), (id) =>
      this.transactions.run(ctx, async (tx) => this.closeEnded(tx, await this.accounts.lock(tx, id))),
    );
  }

  /**
   * Ends an account before it is deleted: charges what is still to be charged, gives back what was paid in advance, and draws up
   * the last statement, which outlives it.
   */
  async closeForGood(tx: RequestContext, organizationId: string): Promise<void> {
    const account = await this.closeEnded(tx, await this.accounts.lock(tx, organizationId));
    const period = periodOf(account.now);
    const ended = await this.fees.end(
      tx,
      await this.meter.accrue(tx, account, period, account.now),
      period,
      account.now,
    );
    await this.repository.drawUp(tx, ended, period.name);
    const payload = { period: period.name, last: true };
    await this.audit.record(tx, { type: 'billing.period_closed', organizationId, payload });
  }

  /** Closes the periods of a locked account that have ended, oldest first. Once: a closed one stays as it is. */
  async closeEnded(tx: RequestContext, account: LockedAccount): Promise<LockedAccount> {
    let current = account;
    while (current.openPeriod < periodOf(current.now).name) current = await this.close(tx, current);
    return current;
  }

  private async close(tx: RequestContext, account: LockedAccount): Promise<LockedAccount> {
    const period = periodNamed(account.openPeriod);
    const metered = await this.meter.accrue(tx, account, period, period.end);
    const charged = metered.plan === 'business' ? await this.fees.end(tx, metered, period, period.end) : metered;
    await this.repository.drawUp(tx, charged, period.name);
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
    return this.fees.begin(tx, opened, next, next.start);
  }
}
