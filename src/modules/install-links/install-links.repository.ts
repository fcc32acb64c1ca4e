import { Injectable } from '@nestjs/common';
import {
  Check,
  Column,
  Entity,
  ForeignKey,
  Index,
  IsNull,
  LessThanOrEqual,
  MoreThan,
  Not,
  PrimaryColumn,
  type Repository,
  Unique,
} from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { columnsOf, deleteInBatches, one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';

const OF_THE_PROJECT: [string, string, string] = ['organizationId', 'projectId', 'id'];

/**
 * The token of an install link, looked up by its digest. A build and a channel have one link each, whose token is also kept
 * encrypted, because the API returns its URL on every read. A tester has one link per mail.
 */
@Entity('invite')
@Unique('uq_invite_digest', ['digest'])
@Unique('uq_invite_project', ['organizationId', 'projectId', 'id'])
@Index('uq_invite_build', ['buildId'], { unique: true, where: 'tester_id IS NULL' })
@Index('uq_invite_channel', ['channelId'], { unique: true, where: 'tester_id IS NULL' })
@Index('ix_invite_build', ['buildId'], { where: 'build_id IS NOT NULL' })
@Index('ix_invite_channel', ['channelId'], { where: 'channel_id IS NOT NULL' })
@Index('ix_invite_tester', ['testerId'], { where: 'tester_id IS NOT NULL' })
@Index('ix_invite_opened', ['projectId', 'testerId', 'lastOpenedAt'], { where: 'last_opened_at IS NOT NULL' })
@Index('ix_invite_last_used', { synchronize: false })
@Check('ck_invite_opens', 'tester_id IS NOT NULL OR num_nonnulls(build_id, channel_id) = 1')
@Check('ck_invite_sealed', '(tester_id IS NULL) = (sealed_token IS NOT NULL)')
@ForeignKey('BuildEntity', ['organizationId', 'projectId', 'buildId'], OF_THE_PROJECT, {
  name: 'fk_invite_build',
  onDelete: 'CASCADE',
})
@ForeignKey('ChannelEntity', ['organizationId', 'projectId', 'channelId'], OF_THE_PROJECT, {
  name: 'fk_invite_channel',
  onDelete: 'CASCADE',
})
@ForeignKey('TesterEntity', ['organizationId', 'projectId', 'testerId'], OF_THE_PROJECT, {
  name: 'fk_invite_tester',
  onDelete: 'CASCADE',
})
export class InstallLinkEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_invite' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'project_id' })
  projectId: string;

  @Column('uuid', { name: 'build_id', nullable: true })
  buildId: string | null;

  @Column('uuid', { name: 'channel_id', nullable: true })
  channelId: string | null;

  @Column('uuid', { name: 'tester_id', nullable: true })
  testerId: string | null;

  @Column({ type: 'bytea' })
  digest: Buffer;

  @Column({ type: 'bytea', name: 'sealed_token', nullable: true })
  sealedToken: Buffer | null;

  /** When the link made its one change, null when it has not. */
  @Column({ type: 'timestamptz', name: 'spent_at', precision: 3, nullable: true })
  usedAt: Date | null;

  /** When a tester's link was last opened, exact to a day; null before. */
  @Column({ type: 'timestamptz', name: 'last_opened_at', precision: 3, nullable: true })
  lastOpenedAt: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  /** When its build was moved to the trash: it opens nothing then. Else null. */
  @Column({ type: 'timestamptz', name: 'deleted_at', precision: 3, nullable: true })
  deletedAt: Date | null;
}

/** A link of a build or channel with its encrypted token. */
export interface SealedToken {
  readonly id: string;
  readonly sealedToken: Buffer;
}

/** The link of a build or channel. */
export interface SealedLink extends SealedToken {
  /** The id of the build or channel. */
  readonly opens: string;
}

/** The link of a tester, of which only the digest is stored. */
type NewTesterLink = Pick<InstallLinkEntity, 'id' | 'digest'> & { readonly testerId: string };

@Injectable()
export class InstallLinksRepository {
  constructor(private readonly transactions: Transactions) {}

  async insert(ctx: RequestContext, ...links: InstallLinkEntity[]): Promise<void> {
    await this.links(ctx).insert(links);
  }

  /** One statement for all links: a release is mailed to thousands of testers. */
  async insertForTesters(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    { buildId, channelId }: Pick<InstallLinkEntity, 'buildId' | 'channelId'>,
    links: readonly NewTesterLink[],
  ): Promise<void> {
    await rows(
      this.transactions.manager(ctx),
      `INSERT INTO invite (organization_id, project_id, build_id, channel_id, created_at, id, tester_id, digest)
       SELECT $1, $2, $3, $4, $5, * FROM unnest($6::uuid[], $7::uuid[], $8::bytea[])`,
      [
        organizationId,
        projectId,
        buildId,
        channelId,
        ctx.clock.now(),
        links.map(({ id }) => id),
        links.map(({ testerId }) => testerId),
        links.map(({ digest }) => digest),
      ],
    );
  }

  /** Deletes the link of a build or channel and, by foreign key, the download tickets minted through it. Keeps the links of testers. */
  async deleteLink(ctx: RequestContext, opens: { buildId: string } | { channelId: string }): Promise<void> {
    await this.links(ctx).delete({ ...opens, testerId: IsNull() });
  }

  countOfTester(ctx: RequestContext, testerId: string, since: Date): Promise<number> {
    return this.links(ctx).countBy({ testerId, createdAt: MoreThan(since) });
  }

  /** Atomic: of concurrent calls for one link exactly one returns true. */
  async markUsed(ctx: RequestContext, id: string): Promise<boolean> {
    const { affected } = await this.links(ctx).update({ id, usedAt: IsNull() }, { usedAt: ctx.clock.now() });
    return affected === 1;
  }

  /** @returns false when the last opening was recorded after `before`. */
  async recordOpening(ctx: RequestContext, id: string, before: Date): Promise<boolean> {
    const where = [
      { id, lastOpenedAt: IsNull() },
      { id, lastOpenedAt: LessThanOrEqual(before) },
    ];
    return ((await this.links(ctx).update(where, { lastOpenedAt: ctx.clock.now() })).affected ?? 0) > 0;
  }

  /** Deletes the links of testers that were neither mailed, used nor opened for a year. */
  prune(ctx: RequestContext): Promise<void> {
    return deleteInBatches(
      this.transactions.manager(ctx),
      'invite',
      `tester_id IS NOT NULL
       AND greatest(created_at, spent_at, last_opened_at) < (SELECT app_now() - interval '1 year')`,
    );
  }

  /** The links of builds or of channels, without the links of testers. */
  async findLinks(
    ctx: RequestContext,
    column: 'buildId' | 'channelId',
    ids: readonly string[],
  ): Promise<readonly SealedLink[]> {
    if (ids.length === 0) return [];
    const opens = column === 'buildId' ? 'build_id' : 'channel_id';
    return rows<SealedLink>(
      this.transactions.manager(ctx),
      `SELECT id, ${opens} AS opens, sealed_token AS "sealedToken" FROM invite
       WHERE ${opens} = ANY ($1::uuid[]) AND tester_id IS NULL AND sealed_token IS NOT NULL`,
      [ids],
    );
  }

  async findLastOfTesters(ctx: RequestContext, testerIds: readonly string[]): Promise<ReadonlyMap<string, Date>> {
    const found = await rows<{ testerId: string; last: Date }>(
      this.transactions.manager(ctx),
      `SELECT tester_id AS "testerId", max(created_at) AS last FROM invite WHERE tester_id = ANY ($1::uuid[]) GROUP BY tester_id`,
      [testerIds],
    );
    return new Map(found.map(({ testerId, last }) => [testerId, last]));
  }

  /** The builds that links of a tester name. */
  async findBuildIdsOfTester(ctx: RequestContext, testerId: string): Promise<readonly string[]> {
    const links = await this.links(ctx).find({
      select: { id: true, buildId: true },
      where: { testerId, buildId: Not(IsNull()), deletedAt: IsNull() },
    });
    return [...new Set(links.flatMap(({ buildId }) => (buildId === null ? [] : [buildId])))];
  }

  /** Marks the links of builds, also those of testers, as deleted since a time; null: as not deleted. */
  async setDeleted(tx: RequestContext, buildIds: readonly string[], deletedAt: Date | null): Promise<void> {
    const statement = 'UPDATE invite SET deleted_at = $2 WHERE build_id = ANY ($1::uuid[])';
    await rows(this.transactions.manager(tx), statement, [buildIds, deletedAt]);
  }

  findByDigest(ctx: RequestContext, digest: Buffer): Promise<InstallLinkEntity | null> {
    const columns = columnsOf(this.links(ctx).metadata);
    return one(this.transactions.manager(ctx), `SELECT ${columns} FROM invite WHERE digest = $1`, [digest]);
  }

  private links(ctx: RequestContext): Repository<InstallLinkEntity> {
    return this.transactions.manager(ctx).getRepository(InstallLinkEntity);
  }
}
