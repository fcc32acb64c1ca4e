import { Injectable, type OnModuleInit } from '@nestjs/common';
import { daysOf, type Period, periodAfter, periodNamed, periodOf } from '#kernel/billing/period';
import { type RequestContext } from '#kernel/context/request-context';
import { OrganizationSchedules, type OrganizationWork } from '#infra/jobs/shards/organization-schedules';
import { BillingAccountsRepository } from '../accounts/billing-accounts.repository';
import { StorageMeterRepository } from './storage-meter.repository';
import { StorageMonthsRepository } from './storage-months.repository';

/**
 * Replaces the intervals of closed months by one row per month, so that the table of intervals does not grow with every build that ever
 * existed. An interval is deleted when the month in which it ended is closed and charged. The storage of all months that it belongs to is
 * saved before, so usage and charges stay the same.
 */
@Injectable()
export class StorageMonthsService implements OnModuleInit {
  constructor(
    private readonly accounts: BillingAccountsRepository,
    private readonly intervals: StorageMeterRepository,
    private readonly months: StorageMonthsRepository,
    private readonly schedules: OrganizationSchedules,
  ) {}

  onModuleInit(): void {
    const work: OrganizationWork = {
      find: (ctx, page) => this.months.findOrganizations(ctx, page),
      run: (ctx, id) => this.fold(ctx, id),
    };
    this.schedules.schedule('billing.fold-storage', '25 3 * * *', work, { begin: (ctx) => this.deleteLeft(ctx) });
  }

  /** Deletes what is left of deleted organizations, such as the intervals of one that a process of an earlier release deleted. */
  private async deleteLeft(ctx: RequestContext): Promise<true> {
    for (const id of await this.intervals.findDeletedOrganizations(ctx)) await this.intervals.deleteIntervals(ctx, id);
    return true;
  }

  /** Saves the closed months in which deleted intervals were stored, before it deletes them. */
  private async fold(ctx: RequestContext, organizationId: string): Promise<void> {
    const { openPeriod } = await this.accounts.get(ctx, organizationId);
    const { start } = periodNamed(openPeriod);
    const first = await this.months.firstStart(ctx, organizationId, start);
    if (!first) return;
    for (let period = periodOf(first); period.name < openPeriod; period = periodAfter(period))
      await this.save(ctx, organizationId, period);
    await this.months.deleteIntervals(ctx, organizationId, start);
  }

  private async save(ctx: RequestContext, organizationId: string, period: Period): Promise<void> {
    if (await this.months.find(ctx, organizationId, period.name)) return;
    const byteMs = await this.intervals.byteMs(ctx, organizationId, [...daysOf(period), period.end]);
    await this.months.insert(ctx, organizationId, period.name, byteMs);
  }
}
