import { Injectable } from '@nestjs/common';
import { type Platform } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { decodeCursor, type ListName, type Page, pageOf, type PageRequest } from '#kernel/cursor';
import { type ChannelScope, type ProjectScope } from '#kernel/context/scope';
import { Transactions } from '#infra/database/transactions';
import { type Release } from './release';
import { ReleaseEntity } from './release.entity';

export interface ReleaseFilter {
  readonly platform?: Platform | undefined;
}

const SELECT = `
  SELECT r.id, r.organization_id AS "organizationId", r.project_id AS "projectId", r.channel_id AS "channelId",
         r.build_id AS "buildId", r.platform, r.sequence, r.notes, r.promoted_at AS "promotedAt",
         json_build_object('kind', r.promoted_by_kind, 'id', r.promoted_by_id) AS "promotedBy",
         EXISTS (SELECT FROM current_release c WHERE c.release_id = r.id) AS current
  FROM release r`;

/** `current_release` is kept in the transactions that hold the channel's row: always the highest number of each platform. */
@Injectable()
export class ReleasesRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Adds a release, which is current from now on. The channel must be locked. */
  async insertAsCurrent(ctx: RequestContext, release: ReleaseEntity): Promise<void> {
    await this.transactions.manager(ctx).insert(ReleaseEntity, release);
    await this.transactions.manager(ctx).query(
      `INSERT INTO current_release (channel_id, platform, release_id) VALUES ($1, $2, $3)
       ON CONFLICT (channel_id, platform) DO UPDATE SET release_id = EXCLUDED.release_id`,
      [release.channelId, release.platform, release.id],
    );
  }

  async find(ctx: RequestContext, scope: ProjectScope, id: string): Promise<Release | null> {
    const [release] = await this.query(ctx, 'WHERE r.organization_id = $1 AND r.project_id = $2 AND r.id = $3', [
      scope.organizationId,
      scope.projectId,
      id,
    ]);
    return release ?? null;
  }

  /** One page of a channel, newest first. */
  async page(
    ctx: RequestContext,
    { organizationId, projectId, channelId }: ChannelScope,
    { platform }: ReleaseFilter,
    { limit, cursor }: PageRequest,
  ): Promise<Page<Release>> {
    const list: ListName = `releases|${channelId}`;
    const rows = await this.query(
      ctx,
      `WHERE r.organization_id = $1 AND r.project_id = $2 AND r.channel_id = $3
         AND ($4::uuid IS NULL OR r.id < $4) AND ($5::text IS NULL OR r.platform = $5)
       ORDER BY r.id DESC LIMIT $6`,
      [organizationId, projectId, channelId, decodeCursor(cursor, list), platform ?? null, limit + 1],
    );
    return pageOf(rows, limit, list);
  }

  /** What is current in some channels of a project, in each at most one per platform. */
  findCurrent(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    channelIds: readonly string[],
    platform?: Platform,
  ): Promise<Release[]> {
    return this.query(
      ctx,
      `JOIN current_release now ON now.release_id = r.id
       WHERE r.organization_id = $1 AND r.project_id = $2 AND r.channel_id = ANY($3::uuid[])
         AND ($4::text IS NULL OR r.platform = $4)`,
      [organizationId, projectId, channelIds, platform ?? null],
    );
  }

  /** The newest release of a build in any of some channels of a project. */
  async findOfBuild(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    channelIds: readonly string[],
    buildId: string,
  ): Promise<Release | null> {
    const [release] = await this.query(
      ctx,
      `WHERE r.organization_id = $1 AND r.project_id = $2 AND r.channel_id = ANY($3::uuid[]) AND r.build_id = $4
       ORDER BY r.id DESC LIMIT 1`,
      [organizationId, projectId, channelIds, buildId],
    );
    return release ?? null;
  }

  /**
   * Removes a release; if it was current, the highest number that is left of its platform becomes so. That one is locked, or
   * passed over when it is just going with its build. The channel must be locked.
   */
  async delete(ctx: RequestContext, { id, channelId, platform }: Release): Promise<void> {
    const manager = this.transactions.manager(ctx);
    const [, wasCurrent]: [unknown, number] = await manager.query('DELETE FROM current_release WHERE release_id = $1', [
      id,
    ]);
    await manager.delete(ReleaseEntity, { id });
    if (wasCurrent === 0) return;
    await manager.query(
      `INSERT INTO current_release (channel_id, platform, release_id)
       SELECT channel_id, platform, id FROM release WHERE channel_id = $1 AND platform = $2
       ORDER BY sequence DESC LIMIT 1 FOR KEY SHARE`,
      [channelId, platform],
    );
  }

  private query(ctx: RequestContext, clauses: string, parameters: unknown[]): Promise<Release[]> {
    return this.transactions.manager(ctx).query(`${SELECT} ${clauses}`, parameters);
  }
}
