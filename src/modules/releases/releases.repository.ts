import { Injectable } from '@nestjs/common';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { type Platform, PLATFORMS } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { type ChannelScope, type ProjectScope } from '#kernel/context/scope';
import { decodeCursor, type ListName, type Page, pageOf, type PageRequest } from '#kernel/cursor';
import { changed, one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type Release } from './release';

const OF_THE_PROJECT: [string, string, string] = ['organizationId', 'projectId', 'id'];

/** A build promoted to a channel. The row never changes, and is deleted with its build unless it is current. */
@Entity('release')
@Unique('uq_release_project', ['organizationId', 'projectId', 'id'])
@Unique('uq_release_sequence', ['channelId', 'sequence'])
@Unique('uq_release_platform', ['channelId', 'platform', 'id'])
@Check('ck_release_platform', `platform IN (${PLATFORMS.map((platform) => `'${platform}'`).join(', ')})`)
@Check('ck_release_sequence', 'sequence > 0')
@Index('ix_release_channel', ['channelId', 'id'])
@Index('ix_release_build', ['buildId'])
@Index('ix_release_project', ['projectId', 'id'])
@ForeignKey('ChannelEntity', ['organizationId', 'projectId', 'channelId'], OF_THE_PROJECT, {
  name: 'fk_release_channel',
})
@ForeignKey('BuildEntity', ['organizationId', 'projectId', 'buildId'], OF_THE_PROJECT, {
  name: 'fk_release_build',
  onDelete: 'CASCADE',
})
export class ReleaseEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_release' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'project_id' })
  projectId: string;

  @Column('uuid', { name: 'channel_id' })
  channelId: string;

  @Column('uuid', { name: 'build_id' })
  buildId: string;

  /** The platform of the build. */
  @Column('text')
  platform: Platform;

  /** 1 for the channel's first release. The release with the highest number of a platform is current. */
  @Column('integer')
  sequence: number;

  @Column('text', { nullable: true })
  notes: string | null;

  /** Whether the subscribers of the channel are mailed about it. */
  @Column('boolean', { default: true })
  notify: boolean;

  /** Whether apps must install it. */
  @Column('boolean', { default: false })
  mandatory: boolean;

  @Column('text', { name: 'promoted_by_kind' })
  promotedByKind: string;

  @Column('uuid', { name: 'promoted_by_id', nullable: true })
  promotedById: string | null;

  @Column({ type: 'timestamptz', name: 'promoted_at', precision: 3 })
  promotedAt: Date;

  /** When its build was moved to the trash. Null: the release exists. It is never current while it is deleted. */
  @Column({ type: 'timestamptz', name: 'deleted_at', precision: 3, nullable: true })
  deletedAt: Date | null;
}

const PRIMARY_KEY = 'pk_current_release';

/** The current release of a channel and platform. Its foreign key keeps the release, and so the build, from being deleted. */
@Entity('current_release')
@Unique('uq_current_release_release', ['releaseId'])
@ForeignKey('ReleaseEntity', ['channelId', 'platform', 'releaseId'], ['channelId', 'platform', 'id'], {
  name: 'fk_current_release_release',
})
export class CurrentReleaseEntity {
  @PrimaryColumn('uuid', { name: 'channel_id', primaryKeyConstraintName: PRIMARY_KEY })
  channelId: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: PRIMARY_KEY })
  platform: Platform;

  @Column('uuid', { name: 'release_id' })
  releaseId: string;
}

export interface ReleaseFilter {
  readonly platform?: Platform | undefined;
}

/** Releases of builds in the trash are in no list. */
const EXISTS = 'deleted_at IS NULL';

const SELECT = `
  SELECT r.id, r.organization_id AS "organizationId", r.project_id AS "projectId", r.channel_id AS "channelId",
         r.build_id AS "buildId", r.platform, r.sequence, r.notes, r.notify, r.mandatory, r.promoted_at AS "promotedAt",
         json_build_object('kind', r.promoted_by_kind, 'id', r.promoted_by_id) AS "promotedBy",
         EXISTS (SELECT FROM current_release c WHERE c.release_id = r.id) AS current
  FROM (SELECT * FROM release WHERE ${EXISTS}) r`;

/** `current_release` always names the release with the highest number of each platform. Writers hold the lock of the channel's row. */
@Injectable()
export class ReleasesRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Adds a release and makes it current. The caller must hold the channel's row lock. */
  async insertAsCurrent(ctx: RequestContext, release: ReleaseEntity): Promise<void> {
    const manager = this.transactions.manager(ctx);
    await manager.insert(ReleaseEntity, release);
    await rows(
      manager,
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

  /**
   * Locks a release until the transaction ends. Waits for transactions that write mails about it, and keeps others from doing so.
   * @returns false when it does not exist.
   */
  async lock(ctx: RequestContext, { organizationId, projectId }: ProjectScope, id: string): Promise<boolean> {
    const locked = await one<{ id: string }>(
      this.transactions.manager(ctx),
      `SELECT id FROM release WHERE organization_id = $1 AND project_id = $2 AND id = $3 AND ${EXISTS} FOR UPDATE`,
      [organizationId, projectId, id],
    );
    return locked !== null;
  }

  /** One page of a channel's releases, newest first. */
  async list(
    ctx: RequestContext,
    { organizationId, projectId, channelId }: ChannelScope,
    { platform }: ReleaseFilter,
    { limit, cursor }: PageRequest,
  ): Promise<Page<Release>> {
    const list: ListName = `releases|${channelId}`;
    const releases = await this.query(
      ctx,
      `WHERE r.organization_id = $1 AND r.project_id = $2 AND r.channel_id = $3
         AND ($4::uuid IS NULL OR r.id < $4) AND ($5::text IS NULL OR r.platform = $5)
       ORDER BY r.id DESC LIMIT $6`,
      [organizationId, projectId, channelId, decodeCursor(cursor, list), platform ?? null, limit + 1],
    );
    return pageOf(releases, limit, list);
  }

  /** One page of the releases of all channels of a project, newest first. */
  async listOfProject(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    { platform }: ReleaseFilter,
    { limit, cursor }: PageRequest,
  ): Promise<Page<Release>> {
    const list: ListName = `project-releases|${projectId}`;
    const releases = await this.query(
      ctx,
      `WHERE r.organization_id = $1 AND r.project_id = $2
         AND ($3::uuid IS NULL OR r.id < $3) AND ($4::text IS NULL OR r.platform = $4)
       ORDER BY r.id DESC LIMIT $5`,
      [organizationId, projectId, decodeCursor(cursor, list), platform ?? null, limit + 1],
    );
    return pageOf(releases, limit, list);
  }

  /** The current releases of several channels of a project: at most one per channel and platform. */
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

  /** The release that was current before this one, null when there was none. */
  async findPrevious(ctx: RequestContext, { channelId, platform, sequence }: Release): Promise<Release | null> {
    const [release] = await this.query(
      ctx,
      'WHERE r.channel_id = $1 AND r.platform = $2 AND r.sequence < $3 ORDER BY r.sequence DESC LIMIT 1',
      [channelId, platform, sequence],
    );
    return release ?? null;
  }

  async findBuildId(
    ctx: RequestContext,
    channelId: string,
    platform: Platform,
    sequence: number,
  ): Promise<string | null> {
    const found = await one<{ id: string }>(
      this.transactions.manager(ctx),
      `SELECT build_id AS id FROM release WHERE channel_id = $1 AND platform = $2 AND sequence = $3 AND ${EXISTS}`,
      [channelId, platform, sequence],
    );
    return found?.id ?? null;
  }

  /** The newest release of a build in any of the channels. */
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
   * Deletes a release. If it was current, the remaining release with the highest number of its platform becomes current. FOR KEY SHARE
   * skips a release that a concurrent transaction deletes with its build, or moves to the trash with it. The caller must hold the channel's row lock.
   */
  async delete(ctx: RequestContext, { id, channelId, platform }: Release): Promise<void> {
    const manager = this.transactions.manager(ctx);
    const wasCurrent = (await changed(manager, 'DELETE FROM current_release WHERE release_id = $1', [id])) > 0;
    await manager.delete(ReleaseEntity, { id });
    if (!wasCurrent) return;
    await rows(
      manager,
      `INSERT INTO current_release (channel_id, platform, release_id)
       SELECT channel_id, platform, id FROM release WHERE channel_id = $1 AND platform = $2 AND ${EXISTS}
       ORDER BY sequence DESC LIMIT 1 FOR KEY SHARE`,
      [channelId, platform],
    );
  }

  /**
   * Deletes all releases of a channel. Waits for transactions that write mails about them. The caller must hold the channel's row lock.
   */
  async deleteOfChannel(tx: RequestContext, { organizationId, projectId }: ProjectScope, id: string): Promise<void> {
    const manager = this.transactions.manager(tx);
    const where = 'organization_id = $1 AND project_id = $2 AND channel_id = $3';
    const values = [organizationId, projectId, id];
    await rows(manager, `SELECT 1 FROM release WHERE ${where} ORDER BY id FOR UPDATE`, values);
    await rows(manager, 'DELETE FROM current_release WHERE channel_id = $1', [id]);
    await rows(manager, `DELETE FROM release WHERE ${where}`, values);
  }

  private query(ctx: RequestContext, clauses: string, parameters: unknown[]): Promise<Release[]> {
    return rows<Release>(this.transactions.manager(ctx), `${SELECT} ${clauses}`, parameters);
  }
}
