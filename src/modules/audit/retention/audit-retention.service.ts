import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { BillingService, type Plan } from '#modules/billing';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { Jobs } from '#infra/jobs/jobs';
import { forEachCollectingErrors } from '#infra/jobs/for-each-collecting-errors';
import { AuditRetentionRepository } from './audit-retention.repository';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** How long events are kept (contract §12). */
export const RETENTION_DAYS: Record<Plan, number> = { team: 30, business: 365 };
/** Also that of deleted organizations, and of accounts' events. */
const LONGEST_DAYS = Math.max(...Object.values(RETENTION_DAYS));

const MONTHS_AHEAD_MS = 92 * DAY_MS;
const OWNERS_AT_ONCE = 500;
const EVENTS_AT_ONCE = 20_000;

/** Two moments of a retention run. */
interface Horizon {
  readonly now: Date;
  /** The months before this go as a whole. */
  readonly droppingBefore: Date;
}

/**
 * Keeps the audit feed as long as the plan says. Months that are older than the longest retention are dropped; what goes
 * earlier, Team's, goes row by row. Both only after the chain's anchor has moved over it, which the feed itself tells.
 */
@Injectable()
export class AuditRetentionService implements OnModuleInit {
  constructor(
    private readonly repository: AuditRetentionRepository,
    private readonly billing: BillingService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('audit.retention', '37 2 * * *', (ctx) => this.run(ctx), { catchUpHours: 24 });
  }

  /** Makes the months to come and takes away what is old. Can be stopped anywhere and run again. */
  async run(ctx: RequestContext): Promise<void> {
    const now = ctx.clock.now();
    const horizon = { now, droppingBefore: monthOf(now.getTime() - LONGEST_DAYS * DAY_MS - HOUR_MS) };
    await this.repository.addPartitions(ctx, now, new Date(now.getTime() + MONTHS_AHEAD_MS));
    try {
      await forEachCollectingErrors(this.owners(ctx), (owner) => this.prune(ctx, owner, horizon));
    } finally {
      // Those alone in which nothing is left that should have been pruned.
      await this.repository.dropPartitions(ctx, horizon.droppingBefore);
    }
  }

  private async *owners(ctx: RequestContext): AsyncGenerator<string | null> {
    let owners = await this.repository.findOwners(ctx, undefined, OWNERS_AT_ONCE);
    while (owners.length > 0) {
      yield* owners;
      owners = await this.repository.findOwners(ctx, owners.at(-1), OWNERS_AT_ONCE);
    }
  }

  private async prune(
    ctx: RequestContext,
    organizationId: string | null,
    { now, droppingBefore }: Horizon,
  ): Promise<void> {
    const plan = organizationId && (await this.billing.plansOf(ctx, [organizationId])).get(organizationId);
    const days = plan ? RETENTION_DAYS[plan] : LONGEST_DAYS;
    // What is kept longest goes with its month; an hour more, because two commits about midnight may be in either order.
    const before =
      days < LONGEST_DAYS ? new Date(now.getTime() - days * DAY_MS) : new Date(droppingBefore.getTime() + HOUR_MS);
    const request = { organizationId, before, droppingBefore, most: EVENTS_AT_ONCE };
    while (await this.pruneSome(ctx, request)) {
      // Until nothing is old any more: short transactions, so that nobody waits for long.
    }
  }

  private pruneSome(ctx: RequestContext, request: Parameters<AuditRetentionRepository['prune']>[1]): Promise<boolean> {
    const { organizationId, before } = request;
    return this.transactions.run(ctx, async (tx) => {
      const pruned = await this.repository.prune(tx, request);
      if (!pruned) return false;
      const payload = {
        before: before.toISOString(),
        first_position: Number(pruned.first),
        last_position: Number(pruned.last),
        events: Number(pruned.last - pruned.first) + 1,
      };
      await this.audit.record(tx, { type: 'audit.pruned', organizationId, payload });
      return true;
    });
  }
}

/** The start of a month, in UTC. */
function monthOf(time: number): Date {
  const month = new Date(time).toISOString().slice(0, 7);
  return new Date(`${month}-01T00:00:00.000Z`);
}
