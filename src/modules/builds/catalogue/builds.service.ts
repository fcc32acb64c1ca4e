import { Injectable } from '@nestjs/common';
import { type Platform } from '#kernel/builds/platform';
import { ownerOf } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { newId } from '#kernel/ids';
import { type Page, type PageRequest } from '#kernel/cursor';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { BillingService } from '#modules/billing';
import { InstallLinksService } from '#modules/install-links';
import { ProjectsService } from '#modules/projects';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { type Build, type BuildPromoter, type BuildWithUrl, type UploadedBuild } from './build';
import { type BuildDraft, describeBuild } from './build-draft';
import { comparisonWarnings } from './build-warnings';
import { type BuildFilter, BuildsRepository, type Icon } from './builds.repository';
import { artifactToJson } from './stored-artifact';
import { type StoredArtifact } from '../uploads/upload';
import { UploadsService } from '../uploads/uploads.service';

/** Builds: uploaded artifacts with their permanent install links. */
@Injectable()
export class BuildsService {
  private promoter: BuildPromoter | undefined;

  constructor(
    private readonly repository: BuildsRepository,
    private readonly uploads: UploadsService,
    private readonly billing: BillingService,
    private readonly invites: InstallLinksService,
    private readonly projects: ProjectsService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  /** Registers who promotes builds; called once, in `onModuleInit`. */
  promoteBy(promoter: BuildPromoter): void {
    this.promoter = promoter;
  }

  /** @throws AppError unless the caller may upload into the channel: there is one, their role and the plan suffice. */
  async allowPromotion(ctx: RequestContext, scope: ProjectScope, channelId: string): Promise<void> {
    await this.promoter?.allow(ctx, scope, channelId);
  }

  /**
   * Turns a stored artifact into a build, in one transaction with everything that belongs to it.
   * @throws AppError invalid_input when what the caller says and what the artifact says do not go together; what
   * `allowPromotion` throws.
   */
  async create(
    ctx: RequestContext,
    scope: ProjectScope,
    stored: StoredArtifact,
    draft: BuildDraft,
  ): Promise<UploadedBuild> {
    if (draft.channelId !== undefined) await this.allowPromotion(ctx, scope, draft.channelId);
    const described = describeBuild(stored, draft);
    const { upload, inspected } = stored;
    const sha256 = Buffer.from(stored.sha256, 'hex');
    const uploader = ownerOf(ctx.identity);
    return this.transactions.run(ctx, async (tx) => {
      await this.pinBundleId(tx, scope, described.platform, inspected.bundleId);
      const last = await this.repository.findLatest(tx, scope, described.platform);
      const sameBytes = await this.repository.findSameBytes(tx, scope, sha256);
      const id = newId();
      await this.repository.insert(
        tx,
        {
          ...scope,
          id,
          ...described,
          uploadedAt: tx.clock.now(),
          uploadedByKind: uploader.kind,
          uploadedById: uploader.id,
          fileName: stored.fileName,
          sizeBytes: String(stored.sizeBytes),
          sha256,
          storageAccount: upload.blob.account,
          blobKey: upload.blob.key,
          artifact: artifactToJson(inspected),
          iconMediaType: inspected.icon?.mediaType ?? null,
          downloadsTotal: 0,
          downloadsUniqueTesters: 0,
          uploadWarnings: comparisonWarnings({ ...described, artifact: inspected }, { last, sameBytes }),
        },
        inspected.icon?.bytes ?? null,
      );
      await this.invites.createForBuild(tx, scope, id);
      const { platform, version, buildNumber } = described;
      const payload = { build_id: id, platform, version, build_number: buildNumber, size_bytes: stored.sizeBytes };
      await this.audit.record(tx, { type: 'build.uploaded', ...scope, payload });
      const releaseId = await this.promote(tx, scope, id, draft.channelId);
      // Last: everything of the organization passes the row of its account.
      await this.uploads.finish(tx, upload, stored.sizeBytes);
      await this.billing.startStorage(tx, { ...scope, buildId: id, sizeBytes: stored.sizeBytes });
      return { ...(await this.get(tx, scope, id)), releaseId };
    });
  }

  async get(ctx: RequestContext, scope: ProjectScope, id: string): Promise<BuildWithUrl> {
    const build = await this.repository.find(ctx, scope, id);
    if (!build) throw AppError.notFound('build');
    return this.link(ctx, build);
  }

  /** Those of the builds that are there, by id. */
  async findMany(
    ctx: RequestContext,
    scope: ProjectScope,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, BuildWithUrl>> {
    const builds = await this.linkAll(ctx, await this.repository.findMany(ctx, scope, ids));
    return new Map(builds.map((build) => [build.id, build]));
  }

  /** The newest build, of a platform or of any: CI asks it for the next build number. */
  async latest(ctx: RequestContext, scope: ProjectScope, platform?: Platform): Promise<BuildWithUrl> {
    const build = await this.repository.findLatest(ctx, scope, platform);
    if (!build) throw AppError.notFound('build');
    return this.link(ctx, build);
  }

  async page(
    ctx: RequestContext,
    scope: ProjectScope,
    filter: BuildFilter,
    request: PageRequest,
  ): Promise<Page<BuildWithUrl>> {
    const page = await this.repository.page(ctx, scope, filter, request);
    return { ...page, items: await this.linkAll(ctx, page.items) };
  }

  async updateNotes(
    ctx: RequestContext,
    scope: ProjectScope,
    id: string,
    notes: string | null | undefined,
  ): Promise<BuildWithUrl> {
    return this.transactions.run(ctx, async (tx) => {
      if (notes !== undefined) {
        if (!(await this.repository.updateNotes(tx, scope, id, notes))) throw AppError.notFound('build');
        await this.audit.record(tx, { type: 'build.updated', ...scope, payload: { build_id: id } });
      }
      return this.get(tx, scope, id);
    });
  }

  /** Its link, tickets and meter end at once; its bytes are deleted after the commit, until they are gone. */
  async delete(ctx: RequestContext, scope: ProjectScope, id: string): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      const { version, buildNumber } = await this.get(tx, scope, id);
      const blob = await this.repository.delete(tx, scope, id);
      if (!blob) throw AppError.notFound('build');
      await this.billing.endStorage(tx, scope.organizationId, id);
      await this.uploads.discard(tx, blob);
      const payload = { build_id: id, version, build_number: buildNumber };
      await this.audit.record(tx, { type: 'build.deleted', ...scope, payload });
    });
  }

  findIcon(ctx: RequestContext, scope: ProjectScope, id: string): Promise<Icon | null> {
    return this.repository.findIcon(ctx, scope, id);
  }

  private async link(ctx: RequestContext, build: Build): Promise<BuildWithUrl> {
    const [linked] = await this.linkAll(ctx, [build]);
    return linked as BuildWithUrl;
  }

  private async linkAll(ctx: RequestContext, builds: readonly Build[]): Promise<BuildWithUrl[]> {
    const urls = await this.invites.urlsOfBuilds(
      ctx,
      builds.map(({ id }) => id),
    );
    return builds.map((build) => ({ ...build, installUrl: urls.get(build.id) ?? '' }));
  }

  private async promote(
    tx: RequestContext,
    scope: ProjectScope,
    buildId: string,
    channelId: string | undefined,
  ): Promise<string | null> {
    if (channelId === undefined || !this.promoter) return null;
    return this.promoter.promote(tx, { ...scopeOf(scope), channelId }, buildId);
  }

  private async pinBundleId(
    ctx: RequestContext,
    scope: ProjectScope,
    platform: Platform,
    bundleId: string | null,
  ): Promise<void> {
    if (bundleId === null || (await this.projects.get(ctx, scope)).allowAnyBundleId) return;
    const pinned = await this.repository.pinBundleId(ctx, scope, platform, bundleId);
    if (pinned === bundleId) return;
    throw AppError.invalidInput(
      'bundle_id_mismatch',
      `This build is ${bundleId}, but the ${platform} builds of this project are ${pinned}. Upload it to its own project, or set allow_any_bundle_id.`,
      { bundle_id: bundleId, expected_bundle_id: pinned },
    );
  }
}
