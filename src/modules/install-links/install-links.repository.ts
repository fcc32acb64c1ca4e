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
import { columnsOf, deleteOlder, one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';

const OF_THE_PROJECT: [string, string, string] = ['organizationId', 'projectId', 'id'];

/**
 * The token of an install link, looked up by its digest. A build and a channel have a default link each, and may have further ones. Their
 * tokens are also kept encrypted, because the API returns their URLs on every read. A tester has one link per mail.
 */
@Entity('invite')
@Unique('uq_invite_digest', ['digest'])
@Unique('uq_invite_project', ['organizationId', 'projectId', 'id'])
@Index('uq_invite_default_build', ['buildId'], { unique: true, where: 'tester_id IS NULL AND is_default' })
@Index('uq_invite_default_channel', ['channelId'], { unique: true, where: 'tester_id IS NULL AND is_default' })
@Index('ix_invite_link', ['organizationId', 'projectId', 'id'], { where: 'tester_id IS NULL' })
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

  /** When its token was created. */
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column('text', { nullable: true })
  name: string | null;

  /** Whether it is the link that the API shows with its build or channel. Without meaning for the link of a tester. */
  @Column('boolean', { name: 'is_default', default: true })
  isDefault: boolean;

  /** The version of the link's rules; null when none restricts it. */
  @Column('integer', { name: 'rule_version', nullable: true })
  ruleVersion: number | null;

  /** When its build was moved to the trash: it opens nothing then. Else null. */
  @Column({ type: 'timestamptz', name: 'deleted_at', precision: 3, nullable: true })
  deletedAt: Date | null;
}

/** The row of a token, and the link whose rules restrict it: itself or, for a tester's link, the default one of the build or channel. */
export type ResolvedRow = InstallLinkEntity & { readonly ruledBy: string | null };

/** A link of a build or channel with its encrypted token. */
export interface SealedToken {
  readonly id: string;
  readonly sealedToken: Buffer;
}

/** A link with its encrypted token, and whether rules restrict it. */
export interface RuledToken extends SealedToken, Pick<InstallLinkEntity, 'ruleVersion'> {}

/** The link of a build or channel. */
export interface SealedLink extends RuledToken {
  /** The id of the build or channel. */
  readonly opens: string;
}

/** The link of a tester, of which only the digest is stored. */
type NewTesterLink = Pick<InstallLinkEntity, 'id' | 'digest'> & { readonly testerId: string };

/** The object that the link of a build or channel opens: exactly one of them. */
export interface LinkTarget {
  readonly buildId: string | null;
  readonly channelId: string | null;
}

/** What a link was when it was read. */
export type LinkState = Pick<InstallLinkEntity, 'digest' | 'ruleVersion'>;

/** The default link with rules of the build or channel that the link `i` of a tester names. */
const RULES_OF_TESTER = `(
  SELECT d.id FROM invite d WHERE (d.build_id = i.build_id OR d.channel_id = i.channel_id)
    AND d.tester_id IS NULL AND d.is_default AND d.rule_version IS NOT NULL ORDER BY d.build_id LIMIT 1)`;

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

  /** The default link of a build or channel of the project, locked until the transaction ends. Null when there is no such object. */
  lockDefault(
    tx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    opens: LinkTarget,
  ): Promise<{ id: string } | null> {
    const [column, id] = opens.buildId === null ? ['channel_id', opens.channelId] : ['build_id', opens.buildId];
    return one(
      this.transactions.manager(tx),
      `SELECT id FROM invite WHERE ${column} = $1 AND organization_id = $2 AND project_id = $3
         AND tester_id IS NULL AND is_default FOR UPDATE`,
      [id, organizationId, projectId],
    );
  }

  async replaceToken(
    tx: RequestContext,
    id: string,
    { digest, sealedToken }: Pick<InstallLinkEntity, 'digest' | 'sealedToken'>,
  ): Promise<void> {
    await this.links(tx).update({ id }, { digest, sealedToken, createdAt: tx.clock.now() });
  }

  /** Prevents changes of a link until the transaction ends. False when its token or its rules are others than those that were read. */
  async lock(tx: RequestContext, id: string, { digest, ruleVersion }: LinkState): Promise<boolean> {
    const statement =
      'SELECT 1 FROM invite WHERE id = $1 AND digest = $2 AND rule_version IS NOT DISTINCT FROM $3 FOR KEY SHARE';
    return (await one(this.transactions.manager(tx), statement, [id, digest, ruleVersion])) !== null;
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
    return deleteOlder(this.transactions.manager(ctx), 'invite', {
      column: 'greatest(created_at, spent_at, last_opened_at)',
      age: `interval '1 year'`,
      where: 'tester_id IS NOT NULL',
    });
  }

  /** The default links of builds or of channels. */
  async findLinks(
    ctx: RequestContext,
    column: 'buildId' | 'channelId',
    ids: readonly string[],
  ): Promise<readonly SealedLink[]> {
    if (ids.length === 0) return [];
    const opens = column === 'buildId' ? 'build_id' : 'channel_id';
    return rows<SealedLink>(
      this.transactions.manager(ctx),
      `SELECT id, ${opens} AS opens, sealed_token AS "sealedToken", rule_version AS "ruleVersion" FROM invite
       WHERE ${opens} = ANY ($1::uuid[]) AND tester_id IS NULL AND is_default AND sealed_token IS NOT NULL`,
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

  findByDigest(ctx: RequestContext, digest: Buffer): Promise<ResolvedRow | null> {
    const columns = columnsOf(this.links(ctx).metadata, 'i');
    return one(
      this.transactions.manager(ctx),
      `SELECT ${columns}, CASE WHEN i.rule_version IS NOT NULL THEN i.id WHEN i.tester_id IS NOT NULL THEN ${RULES_OF_TESTER} END AS "ruledBy"
       FROM invite i WHERE i.digest = $1`,
      [digest],
    );
  }

  private links(ctx: RequestContext): Repository<InstallLinkEntity> {
    return this.transactions.manager(ctx).getRepository(InstallLinkEntity);
  }
}
