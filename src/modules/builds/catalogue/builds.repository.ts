import { Injectable } from '@nestjs/common';
import { IsNull, type Repository } from 'typeorm';
import { type Platform, PLATFORMS } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { type ArtifactDetails, type InspectedArtifact } from '#infra/artifact-inspection/inspected-artifact';
import { columnsOf, type InsertedRow, insertTogether, one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type ArtifactRecord, type Build, type StoredDetails } from './build';
import { BuildDetailEntity, BuildEntity, BuildIconEntity } from './build.entity';
import { artifactFromJson, buildFromRow } from './build-from-row';
import { BuildChangeEntity } from './commits/build-change.entity';
import { type BuildChanges } from './commits/build-commits';
import { type ChangedBuild } from './commits/commits-between';
import { isLive, LIVE } from './live-builds';
import { type Predecessors } from './warnings/build-warnings';

interface PredecessorRow extends Pick<BuildEntity, 'id' | 'version' | 'buildNumber'> {
  readonly artifact: ArtifactRecord;
  readonly isLast: boolean;
}

/** The data of a build that other tables have. */
type BesideBuild = Pick<InspectedArtifact, 'icon' | 'details'> & { readonly changes: BuildChanges | null };

/** The newest builds among which the last one of an app is searched. All of them are read only when none is of the app. */
const RECENT_BUILDS = 500;
const COMPARED = 'id, version, build_number AS "buildNumber", artifact';
/** The platform is part of the order, so that the first build for a platform is not compared with all builds of the project. */
const PREDECESSORS = `
  (SELECT ${COMPARED}, true AS "isLast" FROM (
     SELECT id, version, build_number, artifact FROM build
     WHERE organization_id = $1 AND project_id = $2 AND platform BETWEEN $3 AND $3 AND ${LIVE}
     ORDER BY platform DESC, id DESC LIMIT ${RECENT_BUILDS}) recent
   WHERE artifact->>'bundleId' IS NOT DISTINCT FROM $5 ORDER BY id DESC LIMIT 1)
  UNION ALL
  (SELECT ${COMPARED}, false AS "isLast" FROM build
   WHERE organization_id = $1 AND project_id = $2 AND sha256 = $4 AND ${LIVE} ORDER BY id DESC LIMIT 1)`;

/** The builds of a branch, of all platforms, among which a comparison searches, and those of one platform that it reads. */
const BRANCH_BUILDS = 500;
const CHANGED_BUILDS = 50;
const CHANGED = `
  SELECT b.id, b."commit", c.commits, c.commits_since AS "commitsSince" FROM (
    SELECT id, "commit" FROM (
      SELECT id, platform, "commit" FROM build
      WHERE organization_id = $1 AND project_id = $2 AND branch = $3 AND id BETWEEN $4 AND $5 AND ${LIVE}
      ORDER BY id DESC LIMIT ${BRANCH_BUILDS}
    ) branch WHERE platform = $6 ORDER BY id DESC LIMIT ${CHANGED_BUILDS}
  ) b LEFT JOIN build_change c ON c.build_id = b.id ORDER BY b.id DESC`;

@Injectable()
export class BuildsRepository {
  constructor(private readonly transactions: Transactions) {}

  /**
   * Inserts a build together with other rows: its install link and its event.
   * @returns the build, as `find` would read it.
   */
  async insert(
    ctx: RequestContext,
    build: BuildEntity,
    { icon, details, changes }: BesideBuild,
    others: readonly InsertedRow[],
  ): Promise<Build> {
    const { id: buildId, organizationId, projectId } = build;
    const manager = this.transactions.manager(ctx);
    const ids = { buildId, organizationId, projectId };
    await insertTogether(manager, [
      [BuildEntity, build],
      ...(details ? [[BuildDetailEntity, { ...ids, details: withoutDevices(details) }] as const] : []),
      ...(changes ? [[BuildChangeEntity, { ...ids, ...changes }] as const] : []),
      ...(icon ? [[BuildIconEntity, { buildId, data: icon.bytes }] as const] : []),
      ...others,
    ]);
    return buildFromRow(build, ctx.clock.now());
  }

  /** The long facts of a build's artifact, null when they were not kept. */
  async findDetails(ctx: RequestContext, buildId: string): Promise<StoredDetails | null> {
    const found = await this.transactions.manager(ctx).findOneBy(BuildDetailEntity, { buildId });
    return found?.details ?? null;
  }

  /** The builds of a branch and platform from one to an earlier one, newest first. Without the earliest when they are too many. */
  findChanged(
    ctx: RequestContext,
    {
      id,
      organizationId,
      projectId,
      platform,
      source,
    }: Pick<Build, 'id' | 'organizationId' | 'projectId' | 'platform' | 'source'>,
    earlierId: string,
  ): Promise<ChangedBuild[]> {
    return rows<ChangedBuild>(this.transactions.manager(ctx), CHANGED, [
      organizationId,
      projectId,
      source.branch,
      earlierId,
      id,
      platform,
    ]);
  }

  /** Raw rows, because TypeORM's mapper takes ten times as long for a hundred of them as the statement. */
  async findMany(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    ids: readonly string[],
  ): Promise<Build[]> {
    const manager = this.transactions.manager(ctx);
    const columns = columnsOf(manager.getRepository(BuildEntity).metadata);
    const found = await rows<BuildEntity>(
      manager,
      `SELECT ${columns} FROM build WHERE organization_id = $1 AND project_id = $2 AND id = ANY ($3::uuid[]) AND ${LIVE}`,
      [organizationId, projectId, ids],
    );
    const now = ctx.clock.now();
    return found.map((row) => buildFromRow(row, now));
  }

  /** The platforms for which the project has a build, in the order of the platforms. */
  async platforms(ctx: RequestContext, { projectId }: ProjectScope): Promise<readonly Platform[]> {
    const found = await rows<{ platform: Platform }>(
      this.transactions.manager(ctx),
      `SELECT platform FROM unnest($2::text[]) WITH ORDINALITY AS p (platform, position)
       WHERE EXISTS (SELECT FROM build b WHERE b.project_id = $1 AND b.platform = p.platform AND ${isLive('b')}) ORDER BY position`,
      [projectId, PLATFORMS],
    );
    return found.map(({ platform }) => platform);
  }

  /** Locks the build's row until the transaction ends. @returns false when it does not exist. */
  async lock(tx: RequestContext, { organizationId, projectId }: ProjectScope, id: string): Promise<boolean> {
    const row = await this.builds(tx).findOne({
      select: { id: true },
      where: { id, organizationId, projectId, deletedAt: IsNull() },
      lock: { mode: 'pessimistic_write' },
    });
    return row !== null;
  }

  /** The newest build of an app on a platform, and the newest with this hash. @param bundleId null when files of this kind have none. */
  async findPredecessors(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    { platform, sha256, bundleId }: Pick<BuildEntity, 'platform' | 'sha256'> & Pick<InspectedArtifact, 'bundleId'>,
  ): Promise<Predecessors> {
    const found = await rows<PredecessorRow>(this.transactions.manager(ctx), PREDECESSORS, [
      organizationId,
      projectId,
      platform,
      sha256,
      bundleId,
    ]);
    const [last, sameBytes] = [true, false].map((isLast) => found.find((row) => row.isLast === isLast));
    return { last: last ? { ...last, artifact: artifactFromJson(last.artifact) } : null, sameBytes: sameBytes ?? null };
  }

  /** @returns false when the project has no such build. */
  async update(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    id: string,
    change: Partial<Omit<BuildEntity, 'artifact' | 'uploadWarnings' | 'androidRegistration'>>,
  ): Promise<boolean> {
    const { affected } = await this.builds(ctx).update({ id, organizationId, projectId, deletedAt: IsNull() }, change);
    return affected === 1;
  }

  /**
   * Keeps a build from being deleted until the transaction ends, and takes back the announcement that retention deletes it.
   * @returns false when it does not exist.
   */
  async keep(tx: RequestContext, scope: ProjectScope, id: string): Promise<boolean> {
    const held = await this.hold(tx, scope, id);
    const statement = 'UPDATE build SET expires_at = NULL WHERE id = $1';
    if (held?.expires) await rows(this.transactions.manager(tx), statement, [id]);
    return held !== null;
  }

  /** Keeps a build from being deleted until the transaction ends. @returns whether it is announced to be deleted; null when it does not exist. */
  hold(
    tx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    id: string,
  ): Promise<{ readonly expires: boolean } | null> {
    return one(
      this.transactions.manager(tx),
      `SELECT expires_at IS NOT NULL AS expires FROM build
       WHERE organization_id = $1 AND project_id = $2 AND id = $3 AND ${LIVE} FOR KEY SHARE`,
      [organizationId, projectId, id],
    );
  }

  /** Pins the platform's bundle id unless one is pinned. Concurrent first uploads wait for one another. @returns the pinned bundle id. */
  async pinBundleId(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    platform: Platform,
    bundleId: string,
  ): Promise<string> {
    const [row] = (await rows(
      this.transactions.manager(ctx),
      `INSERT INTO pinned_bundle_id AS p (organization_id, project_id, platform, bundle_id) VALUES ($1, $2, $3, $4)
       ON CONFLICT (project_id, platform) DO UPDATE SET bundle_id = p.bundle_id RETURNING bundle_id AS "bundleId"`,
      [organizationId, projectId, platform, bundleId],
    )) as [{ bundleId: string }];
    return row.bundleId;
  }

  private builds(ctx: RequestContext): Repository<BuildEntity> {
    return this.transactions.manager(ctx).getRepository(BuildEntity);
  }
}

/** The ids of devices are stored by `BuildDevicesRepository`. */
const withoutDevices = ({ devices: _devices, ...details }: ArtifactDetails): StoredDetails => details;
