import { Injectable, type OnModuleInit } from '@nestjs/common';
import { dayOf, periodOf } from '#kernel/billing/period';
import { type RequestContext } from '#kernel/context/request-context';
import { Transactions } from '#infra/database/transactions';
import { OrganizationSchedules, type OrganizationWork } from '#infra/jobs/shards/organization-schedules';
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
    private readonly schedules: OrganizationSchedules,
    private readonly transactions: Transactions,
  ) {}

  onModuleInit(): void {
    const work: OrganizationWork = {
      find: async (ctx, page) =>
        this.intervals.findOrganizationsSince(ctx, periodOf(await this.accounts.now(ctx)).start, page),
      run: (ctx, id) => this.accrue(ctx, id),
    };
    this.schedules.schedule('billing.accrue-storage', '10 0 * * *', work, { catchUpHours: 24 });
  }

  /** Books the ended days of an organization that are not booked yet. */
  private accrue(ctx: RequestContext, organizationId: string): Promise<void> {
    return this.transactions.run(ctx, async (tx) => {
      const account = await this.periods.catchUp(tx, await this.accounts.lock(tx, organizationId));
      const period = periodOf(account.now);
      // An account with more ended periods is charged by the run that closes the last of them.
      if (account.openPeriod === period.name) await this.meter.accrue(tx, account, period, dayOf(account.now));
    });
  }
}
