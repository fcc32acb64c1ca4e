import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { BillingConfig } from '#infra/config/config';
import { Transactions } from '#infra/database/transactions';
import { Jobs } from '#infra/jobs/jobs';
import { OrganizationSchedules, type OrganizationWork } from '#infra/jobs/shards/organization-schedules';
import { BillingService, type Plan } from '#modules/billing';
import { ACCOUNT_CHAIN, AuditRetentionRepository, type PruneRequest } from './audit-retention.repository';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

const RETENTION_DAYS: Record<Plan, number> = { team: 30, business: 365 };
/** Also applies to account events and to deleted organizations. */
const LONGEST_DAYS = Math.max(...Object.values(RETENTION_DAYS));

const MONTHS_AHEAD_MS = 92 * DAY_MS;
const BATCH_SIZE = 20_000;

/** The times that a retention run is based on. */
interface Horizon {
  readonly now: Date;
  /** The partitions of the months before this are dropped. */
  readonly droppingBefore: Date;
}

/**
 * Deletes events that are older than the retention of the plan. Partitions older than the longest retention are dropped; plans with a
 * shorter retention are pruned row by row. The chain's anchor moves first, and an `audit.pruned` event in the feed records it.
 */
@Injectable()
export class AuditRetentionService implements OnModuleInit {
  constructor(
    private readonly repository: AuditRetentionRepository,
    private readonly billing: BillingService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
    private readonly jobs: Jobs,
    private readonly schedules: OrganizationSchedules,
    private readonly config: BillingConfig,
  ) {}

  onModuleInit(): void {
    const work: OrganizationWork = {
      find: (ctx, page) => this.repository.findChains(ctx, page),
      run: (ctx, id) => this.prune(ctx, id === ACCOUNT_CHAIN ? null : id, horizonOf(ctx.clock.now())),
    };
    const begin = async (ctx: RequestContext): Promise<boolean> => {
      await this.addPartitions(ctx);
      return true;
    };
    this.schedules.schedule('audit.retention', '37 2 * * *', work, { catchUpHours: 24, begin });
    // Partitions with events that were not pruned stay.
    this.jobs.schedule('audit.drop-partitions', '37 5 * * *', (ctx) => this.dropPartitions(ctx), { catchUpHours: 24 });
  }

  /** Creates the partitions of the next months. */
  private addPartitions(ctx: RequestContext): Promise<void> {
    const now = ctx.clock.now();
    return this.repository.addPartitions(ctx, now, new Date(now.getTime() + MONTHS_AHEAD_MS));
  }

  private dropPartitions(ctx: RequestContext): Promise<void> {
    return this.repository.dropPartitions(ctx, horizonOf(ctx.clock.now()).droppingBefore);
  }

  private async prune(
    ctx: RequestContext,
    organizationId: string | null,
    { now, droppingBefore }: Horizon,
  ): Promise<void> {
    const plan = organizationId && (await this.billing.plansOf(ctx, [organizationId])).get(organizationId);
    // While billing is off, every plan has every feature.
    const days = plan && this.config.isMetered ? RETENTION_DAYS[plan] : LONGEST_DAYS;
    // With the longest retention, events are deleted with their partition. The extra hour covers commits around midnight: their order in
    // the chain may differ from the order of their times.
    const before =
      days < LONGEST_DAYS ? new Date(now.getTime() - days * DAY_MS) : new Date(droppingBefore.getTime() + HOUR_MS);
    const request = { organizationId, before, droppingBefore, limit: BATCH_SIZE };
    while (await this.pruneBatch(ctx, request)) {
      // One short transaction per batch, because it locks the chain.
    }
  }

  private pruneBatch(ctx: RequestContext, request: PruneRequest): Promise<boolean> {
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

const horizonOf = (now: Date): Horizon => ({
  now,
  droppingBefore: monthOf(now.getTime() - LONGEST_DAYS * DAY_MS - HOUR_MS),
});

/** The start of the month of a time, in UTC. */
function monthOf(time: number): Date {
  const month = new Date(time).toISOString().slice(0, 7);
  return new Date(`${month}-01T00:00:00.000Z`);
}
