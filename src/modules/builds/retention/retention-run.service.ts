import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type AuditEvent } from '#kernel/audit/audit-event';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { forEachCollectingErrors } from '#infra/jobs/for-each-collecting-errors';
import { defineJob } from '#infra/jobs/job-kind';
import { Jobs } from '#infra/jobs/jobs';
import { OrganizationSchedules, type OrganizationWork } from '#infra/jobs/shards/organization-schedules';
import { BuildDeletionService } from '../catalogue/deletion/build-deletion.service';
import { DeletableBuilds } from '../catalogue/deletion/deletable-builds';
import { NOTICE_DAYS, type Retention } from './retention';
import { RetentionRepository, type ScheduledBuild } from './retention.repository';
import { RetentionMailsService } from './retention-mails.service';

/** Applies the rules of one project. */
export const APPLY_RETENTION = defineJob<ProjectScope>('builds.apply-retention-of-project', { jobClass: 'shards' });

/** The number of ids that one evaluation of the rules returns. */
const PAGE = 2_000;
/** The number of builds that one transaction changes. A deletion evaluates the rules once for each. */
const BATCH = 250;
/** The number of builds that a mail names. */
const MAX_NAMED = 20;
const DAY_MS = 86_400_000;

/** The builds that a run announced. */
interface Announced {
  count: number;
  readonly named: ScheduledBuild[];
}

/**
 * Deletes builds by the rules of their projects, once a day. A build that the rules let go is announced first, and moved to the trash a week
 * later if they still do. All work is done in batches, each of which is repeated safely.
 */
@Injectable()
export class RetentionRunService implements OnModuleInit {
  constructor(
    private readonly repository: RetentionRepository,
    private readonly builds: DeletableBuilds,
    private readonly deletion: BuildDeletionService,
    private readonly mails: RetentionMailsService,
    private readonly schedules: OrganizationSchedules,
    private readonly jobs: Jobs,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  onModuleInit(): void {
    const work: OrganizationWork = {
      find: (ctx, page) => this.repository.findOrganizations(ctx, page),
      run: (ctx, id) => this.applyAll(ctx, id),
    };
    this.schedules.schedule('builds.apply-retention', '20 6 * * *', work, { catchUpHours: 24 });
    this.jobs.register(APPLY_RETENTION, (ctx, scope) => this.apply(ctx, scope));
  }

  private async applyAll(ctx: RequestContext, organizationId: string): Promise<void> {
    const projects = await this.repository.findProjects(ctx, organizationId);
    await forEachCollectingErrors(projects, (projectId) => this.apply(ctx, { organizationId, projectId }));
  }

  private async apply(ctx: RequestContext, scope: ProjectScope): Promise<void> {
    const retention = await this.repository.find(ctx, scope);
    const announced: Announced = { count: 0, named: [] };
    const expiresAt = new Date(ctx.clock.now().getTime() + NOTICE_DAYS * DAY_MS);
    for (let after: string | null = null; ;) {
      const page = { after, limit: PAGE };
      const ids: readonly string[] = retention.enabled
        ? await this.builds.find(ctx, scope, { rules: retention.rules }, page)
        : [];
      const isLast = ids.length < PAGE;
      await this.unschedule(ctx, scope, ids, { after, until: isLast ? null : ids.at(-1)! });
      const due = await this.repository.findDue(ctx, ids);
      await this.inBatches(ctx, scope, retention, due, (tx, batch) => this.delete(tx, scope, batch, retention));
      const others = new Set(due);
      await this.inBatches(
        ctx,
        scope,
        retention,
        ids.filter((id) => !others.has(id)),
        (tx, batch) => this.announce(tx, scope, batch, expiresAt, announced),
      );
      if (isLast) break;
      after = ids.at(-1)!;
    }
    if (announced.count > 0)
      await this.transactions.run(ctx, (tx) => this.mails.queue(tx, scope, announced, expiresAt));
  }

  /** Does nothing more once the rules were changed: their next run begins with the new ones. */
  private async inBatches(
    ctx: RequestContext,
    scope: ProjectScope,
    { updatedAt }: Retention,
    ids: readonly string[],
    work: (tx: RequestContext, batch: readonly string[]) => Promise<unknown>,
  ): Promise<void> {
    for (let from = 0; from < ids.length; from += BATCH) {
      const isDone = await this.transactions.run(ctx, async (tx) => {
        const now = await this.repository.find(tx, scope, 'lock');
        if (!now.enabled || now.updatedAt?.getTime() !== updatedAt?.getTime()) return false;
        await work(tx, ids.slice(from, from + BATCH));
        return true;
      });
      if (!isDone) return;
    }
  }

  /** Takes back the announcements of builds that have been protected since the rules were evaluated. */
  private async delete(
    tx: RequestContext,
    scope: ProjectScope,
    ids: readonly string[],
    { rules }: Retention,
  ): Promise<void> {
    const stay = await this.deletion.deleteByRules(tx, scope, ids, rules);
    if (stay.length > 0) await this.repository.unschedule(tx, stay);
  }

  private async announce(
    tx: RequestContext,
    scope: ProjectScope,
    ids: readonly string[],
    expiresAt: Date,
    announced: Announced,
  ): Promise<void> {
    const scheduled = await this.repository.schedule(tx, scope, ids, expiresAt);
    await this.audit.recordAll(
      tx,
      scheduled.map((build) => eventOf(scope, build, expiresAt)),
    );
    announced.count += scheduled.length;
    announced.named.push(...scheduled.slice(0, MAX_NAMED - announced.named.length));
  }

  /** Takes back the announcements of builds of a range of ids that the rules no longer let go. */
  private async unschedule(
    ctx: RequestContext,
    scope: ProjectScope,
    ids: readonly string[],
    range: { readonly after: string | null; readonly until: string | null },
  ): Promise<void> {
    const goes = new Set(ids);
    for (let { after } = range; ;) {
      const scheduled = await this.repository.findScheduled(ctx, scope, { ...range, after, limit: PAGE });
      const kept = scheduled.filter((id) => !goes.has(id));
      if (kept.length > 0) await this.repository.unschedule(ctx, kept);
      if (scheduled.length < PAGE) return;
      after = scheduled.at(-1)!;
    }
  }
}

const eventOf = (
  { organizationId, projectId }: ProjectScope,
  { id, platform, version, buildNumber, sizeBytes }: ScheduledBuild,
  expiresAt: Date,
): AuditEvent => ({
  type: 'build.deletion_scheduled',
  organizationId,
  projectId,
  payload: {
    build_id: id,
    platform,
    version,
    build_number: buildNumber,
    size_bytes: Number(sizeBytes),
    expires_at: expiresAt.toISOString(),
  },
});
