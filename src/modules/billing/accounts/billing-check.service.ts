import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { Jobs } from '#infra/jobs/jobs';
import { Logger } from '#infra/logging/logger';
import { type BillingFault, BillingFaults } from './billing-faults';

/**
 * Checks nightly, and on an operator's request, that the books balance: balances equal the sums of the ledger, reserved amounts the
 * sums of the active reservations, spending the usage of its period, and each build in the hosted store has exactly one open interval.
 */
@Injectable()
export class BillingCheckService implements OnModuleInit {
  constructor(
    private readonly faults: BillingFaults,
    private readonly jobs: Jobs,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('billing.check', '40 2 * * *', (ctx) => this.run(ctx), {
      catchUpHours: 24,
      trustsAnyClock: true,
    });
  }

  /** Logs an error for each fault. */
  async run(ctx: RequestContext): Promise<readonly BillingFault[]> {
    const faults = await this.faults.find(ctx);
    for (const fault of faults) this.logger.error({ fault }, 'The billing records of an organization are inconsistent');
    return faults;
  }
}
