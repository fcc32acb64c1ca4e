import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { deleteInBatches } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { Jobs } from '#infra/jobs/jobs';

/** Expired tokens stay in the lists for 90 days, so that a person who looks for a failed job finds the reason. */
@Injectable()
export class ExpiredTokensService implements OnModuleInit {
  constructor(
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('tokens.prune-expired', '13 4 * * *', (ctx) => this.prune(ctx));
  }

  private async prune(ctx: RequestContext): Promise<void> {
    const manager = this.transactions.manager(ctx);
    const condition = `expires_at < (SELECT app_now() - interval '90 days')`;
    await deleteInBatches(manager, 'project_access_token', condition);
    await deleteInBatches(manager, 'personal_access_token', condition);
  }
}
