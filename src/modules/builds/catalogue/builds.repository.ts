import { Injectable } from '@nestjs/common';
import { type Platform } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { type BlobPlace } from '#modules/storage';
import { type ArtifactDetails, type InspectedArtifact } from '#infra/artifact-inspection/inspected-artifact';
import { one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { In, type QueryDeepPartialEntity, type Repository } from 'typeorm';
import { type Build } from './build';
import { BuildDetailEntity, BuildEntity, BuildIconEntity } from './build.entity';
import { buildFromRow } from './build-from-row';
import { type LockedBuild } from './deletion/build-deletion';

@Injectable()
export class BuildsRepository {
  constructor(private readonly transactions: Transactions) {}

  async insert(
    ctx: RequestContext,
    build: BuildEntity,
    { icon, details }: Pick<InspectedArtifact, 'icon' | 'details'>,
  ): Promise<void> {
    const { id: buildId, organizationId, projectId } = build;
    await this.builds(ctx).insert(build as QueryDeepPartialEntity<BuildEntity>);
    if (details)
      await this.transactions.manager(ctx).insert(BuildDetailEntity, { buildId, organizationId, projectId, details });
    if (icon) await this.transactions.manager(ctx).insert(BuildIconEntity, { buildId, data: icon.bytes });
  }

  async find(ctx: RequestContext, { organizationId, projectId }: ProjectScope, id: string): Promise<Build | null> {
    const entity = await this.builds(ctx).findOneBy({ id, organizationId, projectId });
    return entity && buildFromRow(entity, ctx.clock.now());
  }

  /** The long facts of a build's artifact, null when they were not kept. */
  async findDetails(ctx: RequestContext, buildId: string): Promise<ArtifactDetails | null> {
    const found = await this.transactions.manager(ctx).findOneBy(BuildDetailEntity, { buildId });
    return found?.details ?? null;
  }

  async findMany(ctx: RequestContext, scope: ProjectScope, ids: readonly string[]): Promise<Build[]> {
    const now = ctx.clock.now();
    const entities = await this.builds(ctx).findBy({ ...scopeOf(scope), id: In([...ids]) });
    return entities.map((entity) => buildFromRow(entity, now));
  }

  /** Locks the build's row until the transaction ends. @returns false when it does not exist. */
  async lock(tx: RequestContext, { organizationId, projectId }: ProjectScope, id: string): Promise<boolean> {
    const row = await this.builds(tx).findOne({
      select: { id: true },
      where: { id, organizationId, projectId },
      lock: { mode: 'pessimistic_write' },
    });
    return row !== null;
  }

  /** The newest build of a platform. */
  findLatest(ctx: RequestContext, scope: ProjectScope, platform: Platform): Promise<Build | null> {
    return this.newest(ctx, { ...scope, platform });
  }

  /** The newest build with this hash. */
  async findSameBytes(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    sha256: Buffer,
  ): Promise<Build | null> {
    return this.newest(ctx, { organizationId, projectId, sha256 });
  }

  async updateNotes(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    id: string,
    notes: string | null,
  ): Promise<boolean> {
    const { affected } = await this.builds(ctx).update({ id, organizationId, projectId }, { notes });
    return affected === 1;
  }

  /** Locks builds until the transaction ends, in the order of their ids. Skips those that do not exist. */
  lockMany(tx: RequestContext, scope: ProjectScope, ids: readonly string[]): Promise<LockedBuild[]> {
    return rows<LockedBuild>(
      this.transactions.manager(tx),
      `SELECT id, version, build_number AS "buildNumber" FROM build
       WHERE organization_id = $1 AND project_id = $2 AND id = ANY ($3::uuid[]) ORDER BY id FOR UPDATE`,
      [scope.organizationId, scope.projectId, ids],
    );
  }

  /** Deletes locked builds. @returns where the artifacts are stored. */
  deleteMany(tx: RequestContext, scope: ProjectScope, ids: readonly string[]): Promise<BlobPlace[]> {
    return rows<BlobPlace>(
      this.transactions.manager(tx),
      `DELETE FROM build WHERE organization_id = $1 AND project_id = $2 AND id = ANY ($3::uuid[])
       RETURNING storage_account AS account, blob_key AS key`,
      [scope.organizationId, scope.projectId, ids],
    );
  }

  /**
   * Pins the platform's bundle id unless one is pinned. Concurrent first uploads wait for one another.
   * @returns the pinned bundle id.
   */
  async pinBundleId(ctx: RequestContext, scope: ProjectScope, platform: Platform, bundleId: string): Promise<string> {
    const row = await one<{ bundleId: string }>(
      this.transactions.manager(ctx),
      `INSERT INTO pinned_bundle_id AS p (organization_id, project_id, platform, bundle_id) VALUES ($1, $2, $3, $4)
       ON CONFLICT (project_id, platform) DO UPDATE SET bundle_id = p.bundle_id
       RETURNING bundle_id AS "bundleId"`,
      [scope.organizationId, scope.projectId, platform, bundleId],
    );
    return row?.bundleId ?? bundleId;
  }

  private async newest(
    ctx: RequestContext,
    where: Partial<Pick<BuildEntity, 'organizationId' | 'projectId' | 'platform' | 'sha256'>>,
  ): Promise<Build | null> {
    const entity = await this.builds(ctx).findOne({ where, order: { id: 'DESC' } });
    return entity && buildFromRow(entity, ctx.clock.now());
  }

  private builds(ctx: RequestContext): Repository<BuildEntity> {
    return this.transactions.manager(ctx).getRepository(BuildEntity);
  }
}
