import { Injectable, type OnModuleInit } from '@nestjs/common';
import { dayOf, periodOf } from '#kernel/billing/period';
import { type RequestContext } from '#kernel/context/request-context';
import { Transactions } from '#infra/database/transactions';
import { forEachCollectingErrors } from '#infra/jobs/for-each-collecting-errors';
import { Jobs } from '#infra/jobs/jobs';
import { BillingAccountsRepository } from '../accounts/billing-accounts.repository';
import { PeriodsService } from './periods.service';
import { StorageMeterRepository } from './storage-meter.repository';
import { StorageMeterService } from './storage-meter.service';

/** Charges storage daily, so that balances are current within a day instead of dropping at the end of the month. */
@Injectable()
export class StorageAccrualService implements OnModuleInit {
  constructor(
    private readonly accounts: BillingAccountsRepository,
    private readonly intervals: StorageMeterRepository,
    private readonly meter: StorageMeterService,
    private readonly periods: PeriodsService,
    private readonly jobs: Jobs,
    private readonly transactions: Transactions,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('billing.accrue-storage', '10 0 * * *', (ctx) => this.accrueAll(ctx), { catchUpHours: 24 });
  }

  /** Books the ended days that are not booked yet, for all organizations. */
  async accrueAll(ctx: RequestContext): Promise<void> {
    const { start } = periodOf(await this.accounts.now(ctx));
    await forEachCollectingErrors(await this.intervals.findOrganizationsSince(ctx, start), (id) =>
      this.transactions.run(ctx, async (tx) => {
        const account = await this.periods.catchUp(tx, await this.accounts.lock(tx, id));
        const period = periodOf(account.now);
        // An account with more ended periods is charged by the run that closes the last of them.
        if (account.openPeriod === period.name) await this.meter.accrue(tx, account, period, dayOf(account.now));
      }),
    );
  }
}
