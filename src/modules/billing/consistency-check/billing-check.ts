import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { Jobs } from '#infra/jobs/jobs';
import { Logger } from '#infra/logging/logger';
import { BillingCheckRepository, type BillingFault } from './billing-check.repository';

/**
 * Proves that the books balance: balances are the sums of the ledger, what is reserved is the sum of the active reservations,
 * what is spent the usage of its period, and every stored build is metered once. Nightly, and whenever an operator asks.
 */
@Injectable()
export class BillingCheck implements OnModuleInit {
  constructor(
    private readonly repository: BillingCheckRepository,
    private readonly jobs: Jobs,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('billing.check', '40 2 * * *', (ctx) => this.run(ctx), { catchUpHours: 24 });
  }

  /** Each fault is an error in the log. */
  async run(ctx: RequestContext): Promise<readonly BillingFault[]> {
    const faults = await this.repository.findFaults(ctx);
    for (const fault of faults) this.logger.error({ fault }, 'The books of an organization do not balance');
    return faults;
  }
}
