import { Injectable } from '@nestjs/common';
import { type Platform } from '#kernel/builds/platform';
import { ownerOf } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { AppError } from '#kernel/errors/app-error';
import { Hook } from '#kernel/hook';
import { newIdAt } from '#kernel/ids';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { InstallLinksService, linkUrlsOf } from '#modules/install-links';
import { BuildDevicesRepository } from '../devices/build-devices.repository';
import { RegistrationsService } from '../registrations/registrations.service';
import {
  type Build,
  type BuildWarning,
  type BuildWithDetails,
  type BuildWithUrl,
  type NewArtifact,
  type NewBuild,
  type ShownBuild,
} from './build';
import { type BuildDraft, changesOf, describeBuild } from './build-draft';
import { artifactToJson } from './build-from-row';
import { BuildLinksService } from './build-links.service';
import { BuildsRepository } from './builds.repository';
import { type CommitsBetween, commitsBetween } from './commits/commits-between';
import { type BuildDiff, type ComparedBuild, diffOf } from './diff/build-diff';
import { BuildViews } from './views/build-views';
import { BundleIds } from './views/bundle-ids';
import { comparisonWarnings } from './warnings/build-warnings';

/** Changes of a build. Absent fields stay as they are. */
export interface BuildChange {
  /** Null deletes the notes. */
  readonly notes?: string | null | undefined;
  readonly pinned?: boolean | undefined;
}

/** Builds: uploaded artifacts with their install links. */
@Injectable()
export class BuildsService {
  /** Runs before a build is inserted, in the same transaction. The warnings that upper modules return are stored with the build. */
  readonly creating = new Hook<[tx: RequestContext, build: NewBuild], readonly BuildWarning[]>();

  constructor(
    private readonly repository: BuildsRepository,
    private readonly bundleIds: BundleIds,
    private readonly installLinks: InstallLinksService,
    private readonly devices: BuildDevicesRepository,
    private readonly links: BuildLinksService,
    private readonly views: BuildViews,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
    private readonly registrations: RegistrationsService,
  ) {}

  /**
   * Makes a build of a stored artifact, with its install link. The caller ends the upload and starts the storage meter in the
   * same transaction, after this: both lock the billing account, which must be locked last.
   * @throws AppError invalid_input when the draft and the artifact contradict each other, or the bundle id is not the
   * project's.
   */
  async create(
    ctx: RequestContext,
    scope: ProjectScope,
    artifact: NewArtifact,
    draft: BuildDraft,
  ): Promise<BuildWithDetails> {
    const [described, changes] = [describeBuild(artifact, draft), changesOf(draft)];
    const { blob, fileName, inspected, sizeBytes, sha512 } = artifact;
    const sha256 = Buffer.from(artifact.sha256, 'hex');
    const uploader = ownerOf(ctx.identity);
    return this.transactions.run(ctx, async (tx) => {
      await this.requireBundleId(tx, scope, described.platform, inspected.bundleId);
      const predecessors = await this.repository.findPredecessors(tx, scope, {
        ...described,
        sha256,
        bundleId: inspected.bundleId,
      });
      const uploadedAt = tx.clock.now();
      const id = newIdAt(uploadedAt);
      const link = this.installLinks.newForBuild(tx, scope, id);
      const { platform, version, buildNumber } = described;
      const devices = inspected.details?.devices ?? null;
      const warnings = await this.creating.run(tx, { ...scope, id, devices });
      const payload = { build_id: id, platform, version, build_number: buildNumber, size_bytes: sizeBytes };
      const build = await this.repository.insert(
        tx,
        {
          ...scope,
          id,
          ...described,
          uploadedAt,
          uploadedByKind: uploader.kind,
          uploadedById: uploader.id,
          fileName,
          sizeBytes: String(sizeBytes),
          sha256,
          sha512,
          storageAccount: blob.account,
          blobKey: blob.key,
          artifact: artifactToJson(inspected),
          iconMediaType: inspected.icon?.mediaType ?? null,
          androidRegistration: await this.registrations.ofNewBuild(tx, inspected),
          downloadsTotal: 0,
          downloadsUniqueTesters: 0,
          deletedAt: null,
          pinned: false,
          expiresAt: null,
          uploadWarnings: [
            ...comparisonWarnings({ ...described, artifact: inspected }, predecessors),
            ...warnings.flat(),
          ],
        },
        { ...inspected, changes },
        [link.inserted, this.audit.inserted(tx, { type: 'build.uploaded', ...scope, payload })],
      );
      await this.devices.insert(tx, scope, id, devices ?? []);
      return { ...this.links.withUrls(build, linkUrlsOf(link.url, null)), details: inspected.details, changes };
    });
  }

  /** @throws AppError not_found */
  async get(ctx: RequestContext, scope: ProjectScope, id: string): Promise<BuildWithUrl> {
    const build = await this.links.find(ctx, scope, id);
    if (!build) throw AppError.notFound('build');
    return build;
  }

  /** The builds that exist, keyed by id. Missing ids are skipped. */
  async findMany(
    ctx: RequestContext,
    scope: ProjectScope,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, BuildWithUrl>> {
    const builds = await this.links.addTo(ctx, await this.repository.findMany(ctx, scope, ids));
    return new Map(builds.map((build) => [build.id, build]));
  }

  /** The platforms for which the project has a build, in the order of the platforms. */
  platformsOf(ctx: RequestContext, scope: ProjectScope): Promise<readonly Platform[]> {
    return this.repository.platforms(ctx, scope);
  }

  /** The differences from one build of a project to another. @throws AppError not_found when one of them does not exist. */
  async compare(ctx: RequestContext, scope: ProjectScope, id: string, againstId: string): Promise<BuildDiff> {
    const [from, to] = [await this.getCompared(ctx, scope, againstId), await this.getCompared(ctx, scope, id)];
    return { ...diffOf(from, to), commits: await this.commitsBetween(ctx, from.build, to.build) };
  }

  /**
   * Changes the notes and whether a build is pinned. A pinned build does not expire.
   * @param change absent fields stay as they are; null deletes the notes.
   * @throws AppError not_found
   */
  async update(ctx: RequestContext, scope: ProjectScope, id: string, change: BuildChange): Promise<ShownBuild> {
    const { notes, pinned } = change;
    return this.transactions.run(ctx, async (tx) => {
      if (notes !== undefined || pinned !== undefined) {
        const changes = {
          ...(notes !== undefined && { notes }),
          ...(pinned !== undefined && { pinned }),
          ...(pinned && { expiresAt: null }),
        };
        if (!(await this.repository.update(tx, scope, id, changes))) throw AppError.notFound('build');
        const payload = { build_id: id, ...(pinned !== undefined && { pinned }) };
        await this.audit.record(tx, { type: 'build.updated', ...scope, payload });
      }
      return this.views.get(tx, scope, id);
    });
  }

  /** Keeps a build from being deleted until the transaction ends. It no longer expires. @throws AppError not_found */
  async keep(tx: RequestContext, scope: ProjectScope, id: string): Promise<void> {
    if (!(await this.repository.keep(tx, scope, id))) throw AppError.notFound('build');
  }

  /**
   * Keeps a build from being deleted until the transaction ends, so that the deletion hides what the transaction adds to it. An announced
   * deletion stays announced. @returns false when the project has no such build.
   */
  async hold(tx: RequestContext, scope: ProjectScope, id: string): Promise<boolean> {
    return (await this.repository.hold(tx, scope, id)) !== null;
  }

  /**
   * Replaces the install link of a build. The old link and the download URLs minted through it stop working immediately. Links that were
   * mailed to testers keep working.
   * @throws AppError not_found
   */
  async rotateLink(ctx: RequestContext, scope: ProjectScope, id: string): Promise<ShownBuild> {
    return this.transactions.run(ctx, async (tx) => {
      if (!(await this.repository.lock(tx, scope, id))) throw AppError.notFound('build');
      await this.installLinks.replaceForBuild(tx, scope, id);
      await this.audit.record(tx, { type: 'build.link_rotated', ...scope, payload: { build_id: id } });
      return this.views.get(tx, scope, id);
    });
  }

  /** Null when the builds are not of one branch and platform. */
  private async commitsBetween(ctx: RequestContext, from: Build, to: Build): Promise<CommitsBetween | null> {
    const { branch } = to.source;
    if (branch === null || branch !== from.source.branch || from.platform !== to.platform) return null;
    return commitsBetween(await this.repository.findChanged(ctx, to, from.id), from.id);
  }

  private async getCompared(ctx: RequestContext, scope: ProjectScope, id: string): Promise<ComparedBuild> {
    const build = await this.get(ctx, scope, id);
    return { build, details: await this.repository.findDetails(ctx, id) };
  }

  /** Pins the platform's bundle id at its first build, unless the project allows any. */
  private async requireBundleId(
    ctx: RequestContext,
    scope: ProjectScope,
    platform: Platform,
    bundleId: string | null,
  ): Promise<void> {
    if (bundleId === null) return;
    const rule = await this.bundleIds.find(ctx, scope, platform);
    if (!rule || rule.allowsAny) return;
    const pinned = rule.pinned ?? (await this.repository.pinBundleId(ctx, scope, platform, bundleId));
    if (pinned === bundleId) return;
    throw AppError.invalidInput(
      'bundle_id_mismatch',
      `This build is ${bundleId}, but the ${platform} builds of this project are ${pinned}. Upload it to its own project, or set allow_any_bundle_id.`,
      { bundle_id: bundleId, expected_bundle_id: pinned },
    );
  }
}
