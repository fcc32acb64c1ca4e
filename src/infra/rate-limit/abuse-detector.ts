import { type BeforeApplicationShutdown, Injectable, type OnModuleInit } from '@nestjs/common';
import { accountOf, type Identity } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { Jobs } from '#infra/jobs/jobs';
import { Logger } from '#infra/logging/logger';
import { AccountFlagsRepository } from './account-flags.repository';

const HOUR_MS = 3_600_000;

/** Rejected requests of one developer or project within an hour before it is flagged. Every further multiple adds to the flag. */
export const FLAG_THRESHOLD = 100;

/**
 * Flags developers and projects that keep sending requests after they were rate-limited: one flag per account and hour, with an audit
 * event whose actor is the credential. Each process counts in its memory; the flag is shared. Requests do not wait for it.
 */
@Injectable()
export class AbuseDetector implements OnModuleInit, BeforeApplicationShutdown {
  private readonly rejections = new Map<string, number>();
  private readonly writing = new Set<Promise<void>>();
  private hour = 0;

  constructor(
    private readonly repository: AccountFlagsRepository,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
    private readonly logger: Logger,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('rate-limit.prune-account-flags', '41 4 * * *', (ctx) => this.repository.prune(ctx));
  }

  /** Counts one `429` of a route class. Anonymous callers and install links have no account to flag. */
  countRejection(ctx: RequestContext): void {
    const principal = accountOf(ctx.identity);
    if (principal === null) return;
    const hour = Math.floor(ctx.clock.now().getTime() / HOUR_MS);
    if (hour !== this.hour) {
      this.hour = hour;
      this.rejections.clear();
    }
    const count = (this.rejections.get(principal) ?? 0) + 1;
    this.rejections.set(principal, count);
    if (count % FLAG_THRESHOLD === 0) this.writeFlag(ctx, principal);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.writing);
  }

  private writeFlag(ctx: RequestContext, principal: string): void {
    const done = this.flag(ctx, principal)
      .catch((error: unknown) =>
        this.logger.warn(
          { err: error, requestId: ctx.requestId },
          'cannot flag an account that exceeds its rate limit',
        ),
      )
      .finally(() => this.writing.delete(done));
    this.writing.add(done);
  }

  private async flag(ctx: RequestContext, principal: string): Promise<void> {
    const organizationId = organizationOf(ctx.identity);
    const hourStart = new Date(this.hour * HOUR_MS);
    await this.transactions.run(ctx, async (tx) => {
      const flag = { principal, organizationId, reason: 'rate_limit', hourStart, hits: FLAG_THRESHOLD } as const;
      if (!(await this.repository.add(tx, flag))) return;
      const payload = { principal, reason: flag.reason };
      await this.audit.record(tx, { type: 'account.flagged', organizationId, payload });
    });
  }
}

const organizationOf = (identity: Identity): string | null =>
  'organizationId' in identity ? identity.organizationId : null;
