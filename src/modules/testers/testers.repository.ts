import { Injectable } from '@nestjs/common';
import { Column, Entity, ForeignKey, In, Index, IsNull, PrimaryColumn, type Repository, Unique } from 'typeorm';
import { type Platform } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type CountedRows, countOf } from '#infra/row-counts/counted-rows';
import { AddressDigests } from './suppressions/suppressions.repository';

/** The only table that stores a tester's address: erasing the row erases the address. */
@Entity('tester')
@Unique('uq_tester_project', ['organizationId', 'projectId', 'id'])
@Unique('uq_tester_email', ['projectId', 'emailKey'])
@Index('ix_tester_project', ['projectId', 'id'])
@Index('ix_tester_organization', ['organizationId', 'id'])
@Index('ix_tester_without_digest', ['id'], { where: 'address_digest IS NULL' })
@Index('ix_tester_bounced', ['projectId', 'id'], { where: 'bounced_at IS NOT NULL' })
@ForeignKey('ProjectEntity', ['organizationId', 'projectId'], ['organizationId', 'id'], {
  name: 'fk_tester_project',
  onDelete: 'CASCADE',
})
export class TesterEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_tester' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'project_id' })
  projectId: string;

  @Column('text')
  email: string;

  @Column('text', { name: 'email_key' })
  emailKey: string;

  /** Finds the suppressions of the address without the key of the digest. Null until the job has filled it, in rows of earlier releases. */
  @Column({ type: 'bytea', name: 'address_digest', nullable: true })
  addressDigest: Buffer | null;

  @Column('text', { nullable: true })
  name: string | null;

  /** No longer written or read. A later release drops the column. */
  @Column('text', { array: true })
  platforms: Platform[];

  /** The platforms for which the tester chose to get release mails. Empty: all. */
  @Column('text', { name: 'mail_platforms', array: true, default: [] })
  mailPlatforms: Platform[];

  /** When the last mail with an install link was queued to the tester, null before. */
  @Column({ type: 'timestamptz', name: 'invited_at', precision: 3, nullable: true })
  invitedAt: Date | null;

  /** When the tester first opened one of their links, null before. */
  @Column({ type: 'timestamptz', name: 'opened_at', precision: 3, nullable: true })
  openedAt: Date | null;

  /** The number of mails that were queued to the tester while `openedAt` was null. */
  @Column('smallint', { name: 'unopened_mails', default: 0 })
  unopenedMails: number;

  /** When the mail server said that no mail can reach the address, null while mails are sent. */
  @Column({ type: 'timestamptz', name: 'bounced_at', precision: 3, nullable: true })
  bouncedAt: Date | null;

  /** The status that the mail server gave (RFC 3463), null while `bouncedAt` is. */
  @Column({ type: 'text', name: 'bounce_code', nullable: true })
  bounceCode: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

export const TESTERS_OF_PROJECT: CountedRows = { table: 'tester', column: 'project_id', parent: 'project' };

/** A tester before the digest of the address is added. */
export type NewTester = Omit<TesterEntity, 'addressDigest'>;

/** PostgreSQL accepts at most 65,535 parameters in one statement. */
const INSERT_ROWS = 1000;

@Injectable()
export class TestersRepository {
  constructor(
    private readonly transactions: Transactions,
    private readonly digests: AddressDigests,
  ) {}

  /** Locks adding testers to the project until the transaction ends, so that the quota stays exact, and counts its testers. */
  async lockAndCount(ctx: RequestContext, scope: ProjectScope): Promise<number> {
    await this.transactions.advisoryLock(ctx, `testers|${scope.projectId}`);
    return this.count(ctx, scope);
  }

  async count(ctx: RequestContext, { projectId }: ProjectScope): Promise<number> {
    const statement = `SELECT ${countOf(TESTERS_OF_PROJECT, '$1::uuid')} AS count`;
    const counted = await one<{ count: number }>(this.transactions.manager(ctx), statement, [projectId]);
    return counted?.count ?? 0;
  }

  async insert(ctx: RequestContext, testers: readonly NewTester[]): Promise<void> {
    for (let at = 0; at < testers.length; at += INSERT_ROWS) {
      const added = testers.slice(at, at + INSERT_ROWS);
      await this.testers(ctx).insert(added.map((row) => ({ ...row, addressDigest: this.digests.of(row, row.email) })));
    }
  }

  find(ctx: RequestContext, scope: ProjectScope, id: string): Promise<TesterEntity | null> {
    return this.testers(ctx).findOneBy({ ...scopeOf(scope), id });
  }

  /** Locks a tester's row. Every transaction that changes their subscriptions holds this lock. */
  lock(ctx: RequestContext, scope: ProjectScope, id: string): Promise<TesterEntity | null> {
    return this.testers(ctx).findOne({ where: { ...scopeOf(scope), id }, lock: { mode: 'pessimistic_write' } });
  }

  /** Locks and returns the testers with these ids. Unknown ids are skipped. */
  lockMany(
    tx: RequestContext,
    scope: ProjectScope,
    ids: readonly string[],
  ): Promise<Pick<TesterEntity, 'id' | 'email'>[]> {
    return rows(
      this.transactions.manager(tx),
      `SELECT id, email FROM tester WHERE organization_id = $1 AND project_id = $2 AND id = ANY ($3::uuid[])
       ORDER BY id FOR UPDATE`,
      [scope.organizationId, scope.projectId, ids],
    );
  }

  findByEmailKey(ctx: RequestContext, scope: ProjectScope, emailKey: string): Promise<TesterEntity | null> {
    return this.testers(ctx).findOneBy({ ...scopeOf(scope), emailKey });
  }

  /** Locks and returns the testers that have one of the addresses. Unknown addresses are skipped. */
  lockByEmailKeys(ctx: RequestContext, scope: ProjectScope, emailKeys: readonly string[]): Promise<TesterEntity[]> {
    return this.testers(ctx).find({
      where: { ...scopeOf(scope), emailKey: In([...emailKeys]) },
      order: { id: 'ASC' },
      lock: { mode: 'pessimistic_write' },
    });
  }

  async rename(ctx: RequestContext, scope: ProjectScope, id: string, name: string | null): Promise<boolean> {
    return (await this.testers(ctx).update({ ...scopeOf(scope), id }, { name })).affected === 1;
  }

  async delete(ctx: RequestContext, scope: ProjectScope, id: string): Promise<boolean> {
    return (await this.testers(ctx).delete({ ...scopeOf(scope), id })).affected === 1;
  }

  async setMailPlatforms(
    ctx: RequestContext,
    scope: ProjectScope,
    id: string,
    mailPlatforms: readonly Platform[],
  ): Promise<void> {
    await this.testers(ctx).update({ ...scopeOf(scope), id }, { mailPlatforms: [...mailPlatforms] });
  }

  /**
   * Records that mail cannot reach a tester of any project. The time and the code of the first bounce are kept.
   * @returns the scope of the tester; null when they no longer exist, or bounced before.
   */
  async recordBounce(ctx: RequestContext, id: string, code: string): Promise<ProjectScope | null> {
    return one<ProjectScope>(
      this.transactions.manager(ctx),
      `UPDATE tester SET bounced_at = $2, bounce_code = $3 WHERE id = $1 AND bounced_at IS NULL
       RETURNING organization_id AS "organizationId", project_id AS "projectId"`,
      [id, ctx.clock.now(), code],
    );
  }

  /** Lets mails be sent to the tester again. */
  async clearBounce(ctx: RequestContext, scope: ProjectScope, id: string): Promise<void> {
    await this.testers(ctx).update({ ...scopeOf(scope), id }, { bouncedAt: null, bounceCode: null });
  }

  /** Records the first opening of a link. */
  async recordOpening(ctx: RequestContext, scope: ProjectScope, id: string): Promise<void> {
    await this.testers(ctx).update({ ...scopeOf(scope), id, openedAt: IsNull() }, { openedAt: ctx.clock.now() });
  }

  private testers(ctx: RequestContext): Repository<TesterEntity> {
    return this.transactions.manager(ctx).getRepository(TesterEntity);
  }
}
