import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { RetentionConfig } from '#infra/config/config';
import { Transactions } from '#infra/database/transactions';
import { forEachCollectingErrors } from '#infra/jobs/for-each-collecting-errors';
import { type JobRun } from '#infra/jobs/job-kind';
import { Jobs } from '#infra/jobs/jobs';
import { DevelopersRepository } from '../developers.repository';
import { DevelopersService } from '../developers.service';

/** The number of ids that one query reads. */
const BATCH_SIZE = 500;

/** Deletes accounts whose address was never verified, so that a stranger cannot keep an address occupied. */
@Injectable()
export class UnverifiedAccountsService implements OnModuleInit {
  constructor(
    private readonly repository: DevelopersRepository,
    private readonly developers: DevelopersService,
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
    private readonly config: RetentionConfig,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('developers.prune-unverified', '33 4 * * *', (ctx, run) => this.prune(ctx, run));
  }

  /** Each account is deleted in a transaction of its own, which checks again that it is not verified. */
  private prune(ctx: RequestContext, { signal }: JobRun): Promise<void> {
    return forEachCollectingErrors(this.idsOf(ctx, signal), (id) =>
      this.transactions.run(ctx, async (tx) => {
        if (await this.repository.lockUnverified(tx, id)) await this.developers.delete(tx, id);
      }),
    );
  }

  private async *idsOf(ctx: RequestContext, signal: AbortSignal): AsyncGenerator<string> {
    for (let after: string | null = null; !signal.aborted;) {
      const ids: readonly string[] = await this.repository.listUnverified(ctx, {
        days: this.config.unverifiedAccountDays,
        after,
        limit: BATCH_SIZE,
      });
      yield* ids;
      after = ids.at(-1) ?? null;
      if (after === null || ids.length < BATCH_SIZE) return;
    }
  }
}
