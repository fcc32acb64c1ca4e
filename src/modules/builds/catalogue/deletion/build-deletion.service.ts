import { Injectable } from '@nestjs/common';
import { type AuditEvent } from '#kernel/audit/audit-event';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { AppError } from '#kernel/errors/app-error';
import { Hook } from '#kernel/hook';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { BillingService } from '#modules/billing';
import { InstallLinksService } from '#modules/install-links';
import { StorageService } from '#modules/storage';
import { AttachmentsService } from '../../attachments/attachments.service';
import { type RetentionRule } from '../../retention/retention';
import { BuildViews } from '../views/build-views';
import { type BuildDeletion, type DeletionOptions, freesBytesAt, type LockedBuild } from './build-deletion';
import { DeletableBuilds } from './deletable-builds';
import { TrashRepository } from './trash.repository';

/**
 * Deletes builds: moves them to the trash, or deletes them with their attachments, links and tickets and stops their storage meters. A job
 * deletes the bytes after the commit (docs/decisions/0096-trash-and-retention.md).
 */
@Injectable()
export class BuildDeletionService {
  /** Runs for locked builds before they are deleted or moved to the trash. @returns those of them that must stay. */
  readonly deleting = new Hook<[tx: RequestContext, buildIds: readonly string[]], readonly string[]>();

  constructor(
    private readonly repository: TrashRepository,
    private readonly builds: DeletableBuilds,
    private readonly attachments: AttachmentsService,
    private readonly installLinks: InstallLinksService,
    private readonly views: BuildViews,
    private readonly billing: BillingService,
    private readonly storage: StorageService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  /** @throws AppError not_found; dependency_exists when the build is the current release of a channel; operation_not_allowed when it is pinned. */
  async deleteOne(ctx: RequestContext, scope: ProjectScope, id: string, options: DeletionOptions): Promise<void> {
    const [deletion] = await this.deleteMany(ctx, scope, [id], options);
    if (deletion?.outcome === 'current') throw isCurrent();
    if (deletion?.outcome === 'pinned') throw isPinned();
    if (deletion?.outcome !== 'deleted') throw AppError.notFound('build');
  }

  /**
   * Deletes the builds that are not pinned and that no channel has as its current release.
   * @returns what was done with each, in the order of `ids`.
   */
  async deleteMany(
    ctx: RequestContext,
    scope: ProjectScope,
    ids: readonly string[],
    options: DeletionOptions,
  ): Promise<readonly BuildDeletion[]> {
    return this.transactions.run(ctx, async (tx) => {
      const found = await this.repository.lock(tx, scope, ids);
      const locked = found.filter(({ deletedAt }) => (deletedAt ? options.permanently : !options.onlyDeleted));
      const unpinned = locked.filter(({ pinned }) => !pinned);
      const stay = new Set((await this.deleting.run(tx, idsOf(unpinned))).flat());
      const deleted = unpinned.filter(({ id }) => !stay.has(id));
      const channels = await this.views.channelsOf(tx, scope, [...stay]);
      if (options.permanently) await this.deleteLocked(tx, scope, deleted);
      else await this.trash(tx, scope, deleted);
      const end = options.permanently ? null : freesBytesAt(tx.clock.now());
      const outcomes = new Map<string, Omit<BuildDeletion, 'buildId'>>([
        ...locked.map(({ id }) => [id, { outcome: 'pinned', channels: [], freesBytesAt: null }] as const),
        ...deleted.map(({ id }) => [id, { outcome: 'deleted', channels: [], freesBytesAt: end }] as const),
        ...[...stay].map((id) => {
          const current = (channels.get(id) ?? []).filter((channel) => channel.current);
          return [id, { outcome: 'current', channels: current, freesBytesAt: null }] as const;
        }),
      ]);
      const missing = { outcome: 'not_found', channels: [], freesBytesAt: null } as const;
      return ids.map((buildId) => ({ buildId, ...(outcomes.get(buildId) ?? missing) }));
    });
  }

  /**
   * Moves builds to the trash that rules still let go when they are locked.
   * @returns the ids of those that stay.
   */
  async deleteByRules(
    ctx: RequestContext,
    scope: ProjectScope,
    ids: readonly string[],
    rules: readonly RetentionRule[],
  ): Promise<readonly string[]> {
    return this.transactions.run(ctx, async (tx) => {
      const locked = await this.repository.lock(tx, scope, ids);
      const go = new Set(await this.builds.among(tx, scope, rules, idsOf(locked)));
      const current = new Set((await this.deleting.run(tx, [...go])).flat());
      const deleted = locked.filter(({ id }) => go.has(id) && !current.has(id));
      await this.trash(tx, scope, deleted, { by_retention: true });
      const gone = new Set(idsOf(deleted));
      return ids.filter((id) => !gone.has(id));
    });
  }

  /**
   * Deletes locked builds, whether or not they are in the trash. The billing account is locked last, for the shortest time: downloads of the
   * organization wait for it.
   */
  async deleteLocked(tx: RequestContext, scope: ProjectScope, builds: readonly LockedBuild[]): Promise<void> {
    if (builds.length === 0) return;
    const ids = idsOf(builds);
    const attachments = await this.attachments.deleteOfBuilds(tx, ids);
    const places = await this.repository.delete(tx, scope, ids);
    await this.audit.recordAll(
      tx,
      builds.map(({ deletedAt, ...build }) =>
        deletedAt === null
          ? eventOf('build.deleted', scope, build, { permanently: true })
          : eventOf('build.purged', scope, build),
      ),
    );
    await this.storage.deleteAllLater(tx, places);
    await this.attachments.clear(tx, attachments);
    await this.billing.endStorage(tx, scope.organizationId, ids);
  }

  private async trash(
    tx: RequestContext,
    scope: ProjectScope,
    builds: readonly LockedBuild[],
    facts: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    if (builds.length === 0) return;
    const now = tx.clock.now();
    await this.repository.trash(tx, scope, idsOf(builds), now);
    await this.installLinks.hideOfBuilds(tx, idsOf(builds));
    const until = { permanently: false, frees_bytes_at: freesBytesAt(now).toISOString() };
    await this.audit.recordAll(
      tx,
      builds.map((build) => eventOf('build.deleted', scope, build, { ...until, ...facts })),
    );
  }
}

const idsOf = (builds: readonly LockedBuild[]): string[] => builds.map(({ id }) => id);

/** An event about a build that is deleted or restored. */
export const eventOf = (
  type: 'build.deleted' | 'build.purged' | 'build.restored',
  { organizationId, projectId }: ProjectScope,
  { id, platform, version, buildNumber }: Omit<LockedBuild, 'pinned' | 'deletedAt'>,
  facts: Readonly<Record<string, unknown>> = {},
): AuditEvent => ({
  type,
  organizationId,
  projectId,
  payload: { build_id: id, platform, version, build_number: buildNumber, ...facts },
});

const isCurrent = (): AppError =>
  new AppError('dependency_exists', {
    message: 'This build is the current release of a channel. Withdraw the release, or promote another build first.',
  });

const isPinned = (): AppError =>
  new AppError('operation_not_allowed', {
    message: 'This build is pinned. Unpin it first.',
    details: { reason: 'build_pinned' },
  });
