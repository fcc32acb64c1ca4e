import { Injectable } from '@nestjs/common';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { deleteOlder, one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';

/** The code that was mailed to a tester who signs in at a link. A new one replaces it. */
@Entity('link_code')
@Index('ix_link_code_tester', ['organizationId', 'projectId', 'testerId'])
@Index('ix_link_code_expires_at', ['expiresAt'])
@ForeignKey('InstallLinkEntity', ['organizationId', 'projectId', 'linkId'], ['organizationId', 'projectId', 'id'], {
  name: 'fk_link_code_invite',
  onDelete: 'CASCADE',
})
@ForeignKey('TesterEntity', ['organizationId', 'projectId', 'testerId'], ['organizationId', 'projectId', 'id'], {
  name: 'fk_link_code_tester',
  onDelete: 'CASCADE',
})
export class LinkCodeEntity {
  @PrimaryColumn('uuid', { name: 'invite_id', primaryKeyConstraintName: 'pk_link_code' })
  linkId: string;

  @PrimaryColumn('uuid', { name: 'tester_id', primaryKeyConstraintName: 'pk_link_code' })
  testerId: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'project_id' })
  projectId: string;

  /** A keyed digest of the code. */
  @Column({ type: 'bytea' })
  digest: Buffer;

  /** The number of attempts with the code. */
  @Column('integer')
  failures: number;

  /** The number of codes since `mailsSince`. */
  @Column('integer')
  mails: number;

  @Column({ type: 'timestamptz', name: 'mails_since', precision: 3 })
  mailsSince: Date;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;
}

/** A link and the tester who signs in at it. */
export interface CodeOwner extends ProjectScope {
  readonly linkId: string;
  readonly testerId: string;
}

/** The codes that a tester gets for one link within an hour. */
const MAILS_PER_HOUR = 5;
/** The attempts that a code allows. */
const ATTEMPTS = 5;
export const CODE_MINUTES = 10;

const MAY_REPLACE = `(c.mails < ${MAILS_PER_HOUR} OR c.mails_since <= app_now() - interval '1 hour')`;

@Injectable()
export class LinkCodesRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Whether the tester may get another code within this hour. Locks the present code until the transaction ends. */
  async mayReplace(tx: RequestContext, { linkId, testerId }: CodeOwner): Promise<boolean> {
    const row = await one<{ mayReplace: boolean }>(
      this.transactions.manager(tx),
      `SELECT ${MAY_REPLACE} AS "mayReplace" FROM link_code c WHERE invite_id = $1 AND tester_id = $2 FOR NO KEY UPDATE`,
      [linkId, testerId],
    );
    return row?.mayReplace ?? true;
  }

  /** Stores a code in place of the one before. @returns false when the tester got the maximum of codes within the last hour. */
  async replace(
    tx: RequestContext,
    { linkId, testerId, organizationId, projectId }: CodeOwner,
    digest: Buffer,
  ): Promise<boolean> {
    const stored = await rows(
      this.transactions.manager(tx),
      `INSERT INTO link_code AS c (invite_id, tester_id, organization_id, project_id, digest, failures, mails, mails_since, expires_at)
       VALUES ($1, $2, $3, $4, $5, 0, 1, app_now(), app_now() + make_interval(mins => ${CODE_MINUTES}))
       ON CONFLICT (invite_id, tester_id) DO UPDATE SET digest = $5, failures = 0, expires_at = excluded.expires_at,
         mails = CASE WHEN c.mails_since > app_now() - interval '1 hour' THEN c.mails + 1 ELSE 1 END,
         mails_since = CASE WHEN c.mails_since > app_now() - interval '1 hour' THEN c.mails_since ELSE app_now() END
       WHERE ${MAY_REPLACE}
       RETURNING 1`,
      [linkId, testerId, organizationId, projectId, digest],
    );
    return stored.length === 1;
  }

  /** Counts an attempt. @returns the digest of the code, null when there is none that is valid. */
  async attempt(ctx: RequestContext, { linkId, testerId }: CodeOwner): Promise<Buffer | null> {
    const row = await one<{ digest: Buffer }>(
      this.transactions.manager(ctx),
      `UPDATE link_code SET failures = failures + 1
       WHERE invite_id = $1 AND tester_id = $2 AND expires_at > app_now() AND failures < ${ATTEMPTS} RETURNING digest`,
      [linkId, testerId],
    );
    return row?.digest ?? null;
  }

  /** Ends a code. Atomic: of concurrent calls with the same code exactly one returns true. The number of mails stays. */
  async spend(ctx: RequestContext, { linkId, testerId }: CodeOwner, digest: Buffer): Promise<boolean> {
    const row = await one(
      this.transactions.manager(ctx),
      `UPDATE link_code SET expires_at = app_now()
       WHERE invite_id = $1 AND tester_id = $2 AND digest = $3 AND expires_at > app_now() RETURNING 1 AS spent`,
      [linkId, testerId, digest],
    );
    return row !== null;
  }

  /** Deletes codes that expired an hour ago, whose mails no longer count. */
  prune(ctx: RequestContext): Promise<void> {
    return deleteOlder(this.transactions.manager(ctx), 'link_code', { column: 'expires_at', age: `interval '1 hour'` });
  }
}
