import { Injectable } from '@nestjs/common';
import { type Platform } from '#kernel/builds/platform';
import { type Identity } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { newId } from '#kernel/ids/ids';
import { type Page, type PageRequest } from '#kernel/paging/cursor';
import { type ProjectScope } from '#kernel/scope/scope';
import { InvitesService } from '#modules/invites';
import { ProjectsService } from '#modules/projects';
import { StorageService } from '#modules/storage';
import { AuditRecorder } from '#platform/audit/audit-recorder';
import { Transactions } from '#platform/database/transactions';
import { type Build, type LinkedBuild } from './build';
import { type BuildDraft, describeBuild } from './build-draft';
import { comparisonWarnings } from './build-warnings';
import { type BuildFilter, BuildsRepository, type Icon } from './builds.repository';
import { storeArtifact } from './stored-artifact';
import { type StoredArtifact, UploadsService } from './uploads.service';

/** Builds: uploaded artifacts with their permanent install links. */
@Injectable()
export class BuildsService {
  constructor(
    private readonly repository: BuildsRepository,
    private readonly uploads: UploadsService,
    private readonly invites: InvitesService,
    private readonly projects: ProjectsService,
    private readonly storage: StorageService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  /**
   * Turns a stored artifact into a build, in one transaction with everything that belongs to it.
   * @throws AppError invalid_input when what the caller says and what the artifact says do not go together.
   */
  async create(
    ctx: RequestContext,
    scope: ProjectScope,
    stored: StoredArtifact,
    draft: BuildDraft,
  ): Promise<LinkedBuild> {
    const described = describeBuild(stored, draft);
    const { upload, inspected } = stored;
    const sha256 = Buffer.from(stored.sha256, 'hex');
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
          ...uploaderOf(tx.identity),
          fileName: stored.fileName,
          sizeBytes: String(stored.sizeBytes),
          sha256,
          storageAccount: upload.blob.account,
          blobKey: upload.blob.key,
          artifact: storeArtifact(inspected),
          iconMediaType: inspected.icon?.mediaType ?? null,
          uploadWarnings: comparisonWarnings({ ...described, artifact: inspected }, { last, sameBytes }),
        },
        inspected.icon?.bytes ?? null,
      );
      await this.invites.createForBuild(tx, scope, id);
      await this.uploads.finish(tx, upload, stored.sizeBytes);
      const { platform, version, buildNumber } = described;
      const payload = { build_id: id, platform, version, build_number: buildNumber, size_bytes: stored.sizeBytes };
      await this.audit.record(tx, { type: 'build.uploaded', ...scope, payload });
      return this.get(tx, scope, id);
    });
  }

  /** Makes a build of a small artifact at hand: an upload like any other, admitted, stored, read and committed. */
  async createFrom(
    ctx: RequestContext,
    scope: ProjectScope,
    file: { readonly fileName: string; readonly bytes: Buffer },
    draft: BuildDraft,
  ): Promise<LinkedBuild> {
    return this.uploads.during(ctx, scope, file.bytes.length, async (upload) =>
      this.create(ctx, scope, await this.uploads.store(upload, file.fileName, file.bytes), draft),
    );
  }

  async get(ctx: RequestContext, scope: ProjectScope, id: string): Promise<LinkedBuild> {
    const build = await this.repository.find(ctx, scope, id);
    if (!build) throw AppError.notFound('build');
    return this.link(ctx, build);
  }

  /** The newest build, of a platform or of any: CI asks it for the next build number. */
  async latest(ctx: RequestContext, scope: ProjectScope, platform?: Platform): Promise<LinkedBuild> {
    const build = await this.repository.findLatest(ctx, scope, platform);
    if (!build) throw AppError.notFound('build');
    return this.link(ctx, build);
  }

  async page(
    ctx: RequestContext,
    scope: ProjectScope,
    filter: BuildFilter,
    request: PageRequest,
  ): Promise<Page<LinkedBuild>> {
    const page = await this.repository.page(ctx, scope, filter, request);
    const urls = await this.invites.urlsOf(
      ctx,
      page.items.map(({ id }) => id),
    );
    return { ...page, items: page.items.map((build) => ({ ...build, installUrl: urls.get(build.id) ?? '' })) };
  }

  async updateNotes(
    ctx: RequestContext,
    scope: ProjectScope,
    id: string,
    notes: string | null | undefined,
  ): Promise<LinkedBuild> {
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
      const { blob, version, buildNumber } = await this.get(tx, scope, id);
      if (!(await this.repository.delete(tx, scope, id))) throw AppError.notFound('build');
      await this.storage.deleteLater(tx, blob);
      const payload = { build_id: id, version, build_number: buildNumber };
      await this.audit.record(tx, { type: 'build.deleted', ...scope, payload });
    });
  }

  findIcon(ctx: RequestContext, scope: ProjectScope, id: string): Promise<Icon | null> {
    return this.repository.findIcon(ctx, scope, id);
  }

  private async link(ctx: RequestContext, build: Build): Promise<LinkedBuild> {
    const urls = await this.invites.urlsOf(ctx, [build.id]);
    return { ...build, installUrl: urls.get(build.id) ?? '' };
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

function uploaderOf(identity: Identity): { uploadedByKind: string; uploadedById: string | null } {
  switch (identity.kind) {
    case 'jwt':
    case 'pat':
      return { uploadedByKind: 'developer', uploadedById: identity.developerId };
    case 'project-token':
      return { uploadedByKind: 'project_access_token', uploadedById: identity.tokenId };
    default:
      return { uploadedByKind: identity.kind, uploadedById: null };
  }
}
