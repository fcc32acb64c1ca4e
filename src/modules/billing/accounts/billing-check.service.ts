import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import {
  forEachOrganization,
  OrganizationSchedules,
  type OrganizationWork,
} from '#infra/jobs/shards/organization-schedules';
import { Logger } from '#infra/logging/logger';
import { BillingAccountsRepository } from './billing-accounts.repository';
import { BillingChecksRepository } from './billing-checks.repository';
import { type BillingFault, BillingFaults } from './billing-faults';

/** More than an organization has. */
const ALL_MONTHS = 10_000;

/** The closed months that one statement verifies: few statements for a small organization, short ones for a large one. */
const MONTHS_OF_A_STATEMENT = 4;

/**
 * Checks nightly, and on an operator's request, that the books balance: balances equal the sums of the ledger, reserved amounts the
 * sums of the active reservations, spending the usage of its period, and each build in the hosted store has exactly one open interval.
 * Nightly, a closed month is verified once, and again after 28 days, month by month (docs/decisions/0084-jobs-for-many-organizations.md).
 */
@Injectable()
export class BillingCheckService implements OnModuleInit {
  private readonly find: OrganizationWork['find'] = (ctx, page) => this.accounts.findPage(ctx, page);

  constructor(
    private readonly accounts: BillingAccountsRepository,
    private readonly checks: BillingChecksRepository,
    private readonly faults: BillingFaults,
    private readonly schedules: OrganizationSchedules,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    const work: OrganizationWork = {
      find: this.find,
      run: async (ctx, id) => {
        this.report(await this.faults.ofAccount(ctx, id));
        this.report(await this.verify(ctx, id));
      },
    };
    this.schedules.schedule('billing.check', '40 2 * * *', work, { catchUpHours: 24, trustsAnyClock: true });
  }

  /** Checks all organizations with all of their months. Logs an error for each fault. */
  async run(ctx: RequestContext): Promise<readonly BillingFault[]> {
    const faults: BillingFault[] = [];
    await forEachOrganization(ctx, {
      find: this.find,
      run: async (_ctx, id) => {
        const months = await this.checks.months(ctx, id, '', ALL_MONTHS);
        faults.push(...(await this.faults.ofAccount(ctx, id)), ...months.flatMap(({ fault }) => fault ?? []));
      },
    });
    this.report(faults);
    return faults;
  }

  /** Verifies the closed months that are not, a few with each statement, so that a killed process continues with the next ones. */
  private async verify(ctx: RequestContext, organizationId: string): Promise<readonly BillingFault[]> {
    const faults: BillingFault[] = [];
    let after = await this.checks.begin(ctx, organizationId);
    for (;;) {
      const months = await this.checks.months(ctx, organizationId, after, MONTHS_OF_A_STATEMENT);
      const last = months.at(-1);
      if (!last) return faults;
      after = last.period;
      const firstFault = months.findIndex(({ fault }) => fault !== null);
      const sound = firstFault < 0 ? last : months[firstFault - 1];
      // Months from the first fault on are verified again every night.
      if (faults.length === 0 && sound) await this.checks.verify(ctx, organizationId, sound.period);
      faults.push(...months.flatMap(({ fault }) => fault ?? []));
    }
  }

  private report(faults: readonly BillingFault[]): void {
    for (const fault of faults) this.logger.error({ fault }, 'The billing records of an organization are inconsistent');
  }
}
