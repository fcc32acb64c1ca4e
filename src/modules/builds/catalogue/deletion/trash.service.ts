import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { Hook } from '#kernel/hook';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { forEachCollectingErrors } from '#infra/jobs/for-each-collecting-errors';
import { Jobs } from '#infra/jobs/jobs';
import { InstallLinksService } from '#modules/install-links';
import { ProjectsService } from '#modules/projects';
import { type BlobPlace } from '#modules/storage';
import { type BuildWithDetails, type NewArtifact } from '../build';
import { type BuildDraft, describeBuild } from '../build-draft';
import { BuildLinksService } from '../build-links.service';
import { BuildsRepository } from '../builds.repository';
import { type BuildRestoration, type LockedBuild, TRASH_DAYS } from './build-deletion';
import { BuildDeletionService, eventOf } from './build-deletion.service';
import { type EndedBuild, TrashRepository } from './trash.repository';

/** The number of builds that one transaction deletes, so that downloads wait shortly for the billing account. */
const BATCH = 100;

/** A build that an upload restored. */
export interface RestoredBuild {
  readonly build: BuildWithDetails;
  /** Where its artifact was before. */
  readonly replaced: BlobPlace;
}

/** Restores builds of the trash, and empties it. */
@Injectable()
export class TrashService implements OnModuleInit {
  /** Runs for locked builds before they leave the trash. */
  readonly restoring = new Hook<[tx: RequestContext, scope: ProjectScope, buildIds: readonly string[]]>();

  constructor(
    private readonly repository: TrashRepository,
    private readonly deletion: BuildDeletionService,
    private readonly installLinks: InstallLinksService,
    private readonly builds: BuildsRepository,
    private readonly links: BuildLinksService,
    private readonly projects: ProjectsService,
    private readonly jobs: Jobs,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  onModuleInit(): void {
    this.projects.clearing.add((ctx, scope) => this.empty(ctx, scope));
    this.projects.deleting.add(async (tx, scope) => void (await this.emptyBatch(tx, scope)));
    this.jobs.schedule('builds.empty-trash', '*/10 * * * *', (ctx, { signal }) => this.sweep(ctx, signal));
  }

  /** Restores builds with their links and releases. A build that is not in the trash stays as it is. */
  async restore(
    ctx: RequestContext,
    scope: ProjectScope,
    ids: readonly string[],
  ): Promise<readonly BuildRestoration[]> {
    return this.transactions.run(ctx, async (tx) => {
      const locked = new Map((await this.repository.lock(tx, scope, ids)).map((build) => [build.id, build]));
      await this.restoreLocked(
        tx,
        scope,
        [...locked.values()].filter(({ deletedAt }) => deletedAt !== null),
      );
      return ids.map((buildId) => {
        const build = locked.get(buildId);
        return { buildId, outcome: build ? (build.deletedAt ? 'restored' : 'not_deleted') : 'not_found' };
      });
    });
  }

  /**
   * Restores the newest build in the trash that has this file, platform, version and build number. It gets the notes and the source of the
   * draft, and the uploaded artifact in place of its own, which the store may have lost.
   * @returns null when there is none; otherwise also the place of the artifact that the caller deletes.
   */
  async restoreIdentical(
    tx: RequestContext,
    scope: ProjectScope,
    artifact: NewArtifact,
    draft: BuildDraft,
  ): Promise<RestoredBuild | null> {
    const described = describeBuild(artifact, draft);
    const id = await this.repository.lockIdentical(tx, scope, { ...described, sha256: artifact.sha256 });
    if (id === null) return null;
    await this.restoreLocked(tx, scope, await this.repository.lock(tx, scope, [id]));
    const replaced = await this.repository.replaceArtifact(tx, scope, id, artifact.blob);
    const { notes, branch, commit, ciUrl, pullRequestNumber, pullRequestUrl } = described;
    const said = { notes, branch, commit, ciUrl, pullRequestNumber, pullRequestUrl };
    const changes = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null));
    if (Object.keys(changes).length > 0) await this.builds.update(tx, scope, id, changes);
    const build = await this.links.find(tx, scope, id);
    return build && { build: { ...build, details: artifact.inspected.details, changes: null }, replaced };
  }

  /** Deletes the builds of which the time in the trash has ended. */
  async sweep(ctx: RequestContext, signal?: AbortSignal): Promise<void> {
    const before = new Date(ctx.clock.now().getTime() - TRASH_DAYS * 86_400_000);
    const batch = new Map<string, EndedBuild[]>();
    await forEachCollectingErrors(this.findProjects(ctx, before, batch, signal), async (projectId) => {
      const [first, ...others] = batch.get(projectId) ?? [];
      if (!first) return;
      const ids = [first, ...others].map(({ id }) => id);
      await this.transactions.run(ctx, (tx) => this.purge(tx, scopeOf(first), ids, before));
    });
  }

  /** The projects of each batch of ended builds, which it puts into `batch`. Continues after a batch that could not be deleted. */
  private async *findProjects(
    ctx: RequestContext,
    before: Date,
    batch: Map<string, EndedBuild[]>,
    signal?: AbortSignal,
  ): AsyncGenerator<string> {
    for (let after: EndedBuild | null = null; !signal?.aborted;) {
      const ended: EndedBuild[] = await this.repository.findEnded(ctx, { before, after, limit: BATCH });
      batch.clear();
      for (const build of ended) batch.set(build.projectId, [...(batch.get(build.projectId) ?? []), build]);
      yield* [...batch.keys()];
      if (ended.length < BATCH) return;
      after = ended.at(-1) ?? null;
    }
  }

  /** Deletes all builds in the trash of a project that is deleted, each batch in a transaction of its own. */
  private async empty(ctx: RequestContext, scope: ProjectScope): Promise<void> {
    while ((await this.transactions.run(ctx, (tx) => this.emptyBatch(tx, scope))) === BATCH);
  }

  /**
   * Deletes some of the builds in the trash of a project. With other builds, the deletion of the project fails, so the trash stays.
   * @returns their number.
   */
  private async emptyBatch(tx: RequestContext, scope: ProjectScope): Promise<number> {
    if ((await this.builds.platforms(tx, scope)).length > 0) return 0;
    const ids = await this.repository.list(tx, scope, BATCH);
    await this.purge(tx, scope, ids, null);
    return ids.length;
  }

  /** @param before only those that were moved to the trash before this time; null for all. */
  private async purge(
    tx: RequestContext,
    scope: ProjectScope,
    ids: readonly string[],
    before: Date | null,
  ): Promise<void> {
    const locked = await this.repository.lock(tx, scope, ids);
    const ended = locked.filter(({ deletedAt }) => deletedAt !== null && (before === null || deletedAt < before));
    // A process of the previous release does not know the trash, and may have promoted a build that is in it.
    const current = new Set((await this.deletion.deleting.run(tx, idsOf(ended))).flat());
    await this.deletion.deleteLocked(
      tx,
      scope,
      ended.filter(({ id }) => !current.has(id)),
    );
    await this.restoreLocked(
      tx,
      scope,
      ended.filter(({ id }) => current.has(id)),
    );
  }

  private async restoreLocked(tx: RequestContext, scope: ProjectScope, builds: readonly LockedBuild[]): Promise<void> {
    if (builds.length === 0) return;
    const ids = idsOf(builds);
    await this.restoring.run(tx, scope, ids);
    await this.repository.restore(tx, scope, ids);
    await this.installLinks.showOfBuilds(tx, ids);
    await this.audit.recordAll(
      tx,
      builds.map((build) => eventOf('build.restored', scope, build)),
    );
  }
}

const idsOf = (builds: readonly LockedBuild[]): string[] => builds.map(({ id }) => id);
