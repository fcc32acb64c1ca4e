import { Injectable } from '@nestjs/common';
import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { decodeCursor, type ListName, type Page, pageOf, type PageRequest } from '#kernel/cursor';
import { changed, columnsOf, deleteOlder, one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';

/** One login, and the refresh tokens that descend from it. */
@Entity('refresh_family')
@Index('ix_refresh_family_developer', ['developerId'])
@Index('ix_refresh_family_expires_at', ['expiresAt'])
export class RefreshFamilyEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_refresh_family' })
  id: string;

  @ForeignKey('DeveloperEntity', { name: 'fk_refresh_family_developer', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'developer_id' })
  developerId: string;

  /** The family is invalid if it was created before the developer's `minIssuedAt`. */
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  /** No token of the family is valid after this time. */
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;

  @Column({ type: 'timestamptz', name: 'revoked_at', precision: 3, nullable: true })
  revokedAt: Date | null;

  /** The IP address of the login. Null for a session that an earlier release started. */
  @Column('text', { nullable: true })
  address: string | null;

  /** The block of the address (`widerNetwork`), by which logins from unknown networks are recognized. */
  @Column('text', { nullable: true })
  network: string | null;

  /** The `User-Agent` header of the login, at most 300 characters. */
  @Column('text', { name: 'user_agent', nullable: true })
  userAgent: string | null;

  /** The time of the last refresh. Null when there was none. */
  @Column({ type: 'timestamptz', name: 'last_used_at', precision: 3, nullable: true })
  lastUsedAt: Date | null;
}

/** A single-use refresh token. Used tokens are kept until the family expires, so that their reuse can be detected. */
@Entity('refresh_token')
@Unique('uq_refresh_token_generation', ['familyId', 'generation'])
export class RefreshTokenEntity {
  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'pk_refresh_token' })
  digest: Buffer;

  @ForeignKey('RefreshFamilyEntity', { name: 'fk_refresh_token_family', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'family_id' })
  familyId: string;

  /** 0 for the token of the login, then 1 higher for each refresh. */
  @Column('integer')
  generation: number;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;

  @Column({ type: 'timestamptz', name: 'used_at', precision: 3, nullable: true })
  usedAt: Date | null;
}

/** A refresh token that a client sent, with its family. Expiry is judged by the database's clock. */
export interface PresentedToken {
  readonly familyId: string;
  readonly developerId: string;
  readonly familyCreatedAt: Date;
  readonly familyExpiresAt: Date;
  readonly generation: number;
  /** The family is neither revoked nor expired. */
  readonly familyValid: boolean;
  /** The token itself has expired because it was not used in time. */
  readonly expired: boolean;
  readonly used: boolean;
  /** The token was used within the leeway, and its successor is the newest token and unused. */
  readonly justReplaced: boolean;
}

interface SessionOfDeveloper {
  readonly developerId: string;
  readonly sessionId: string | null;
}

/** The developer whose sessions are listed or revoked. */
export interface SessionOwner {
  readonly developerId: string;
  /** Sessions that were created before this time have ended. */
  readonly minIssuedAt: Date;
  /** A session that was not refreshed for this time has ended. */
  readonly idleDays: number;
}

const ACTIVE = `developer_id = $1 AND created_at >= $2 AND revoked_at IS NULL AND expires_at > app_now()
  AND coalesce(last_used_at, created_at) > app_now() - make_interval(days => $3)`;

const valuesOf = ({ developerId, minIssuedAt, idleDays }: SessionOwner): unknown[] => [
  developerId,
  minIssuedAt,
  idleDays,
];

@Injectable()
export class SessionsRepository {
  constructor(private readonly transactions: Transactions) {}

  async insertFamily(ctx: RequestContext, family: RefreshFamilyEntity): Promise<void> {
    await this.transactions.manager(ctx).insert(RefreshFamilyEntity, family);
  }

  async insertToken(ctx: RequestContext, token: RefreshTokenEntity): Promise<void> {
    await this.transactions.manager(ctx).insert(RefreshTokenEntity, token);
  }

  /**
   * Finds a token by its digest and locks its family, which serializes all changes of one session. Null when there is no
   * such token.
   */
  async lock(ctx: RequestContext, digest: Buffer, leewaySeconds: number): Promise<PresentedToken | null> {
    const manager = this.transactions.manager(ctx);
    const family = await one(
      manager,
      'SELECT 1 FROM refresh_family WHERE id = (SELECT family_id FROM refresh_token WHERE digest = $1) FOR UPDATE',
      [digest],
    );
    return family === null ? null : this.find(ctx, digest, leewaySeconds);
  }

  /** Finds a token by its digest, with its family. Null when there is no such token. */
  find(ctx: RequestContext, digest: Buffer, leewaySeconds = 0): Promise<PresentedToken | null> {
    return one<PresentedToken>(
      this.transactions.manager(ctx),
      `SELECT f.id AS "familyId", f.developer_id AS "developerId", f.created_at AS "familyCreatedAt",
              f.expires_at AS "familyExpiresAt", t.generation,
              f.revoked_at IS NULL AND f.expires_at > app_now() AS "familyValid", t.expires_at <= app_now() AS expired,
              t.used_at IS NOT NULL AS used,
              $2 > 0 AND next.used_at IS NULL AND coalesce(t.used_at > app_now() - make_interval(secs => $2), false) AS "justReplaced"
       FROM refresh_token t
       JOIN refresh_family f ON f.id = t.family_id
       LEFT JOIN refresh_token next ON next.family_id = t.family_id AND next.generation = t.generation + 1
       WHERE t.digest = $1`,
      [digest, leewaySeconds],
    );
  }

  async markUsed(ctx: RequestContext, digest: Buffer): Promise<void> {
    const manager = this.transactions.manager(ctx);
    await changed(
      manager,
      `WITH used AS (UPDATE refresh_token SET used_at = app_now() WHERE digest = $1 RETURNING family_id)
       UPDATE refresh_family SET last_used_at = app_now() WHERE id = (SELECT family_id FROM used)`,
      [digest],
    );
  }

  /**
   * Whether the developer has logged in from a network before, as far as sessions are kept. Null when there is no session to compare
   * with. A session of an earlier release, whose network is not known, counts as any network.
   */
  async isKnownNetwork(ctx: RequestContext, developerId: string, network: string): Promise<boolean | null> {
    const row = await one<{ known: boolean | null }>(
      this.transactions.manager(ctx),
      'SELECT bool_or(network IS NULL OR network = $2) AS known FROM refresh_family WHERE developer_id = $1',
      [developerId, network],
    );
    return row?.known ?? null;
  }

  /**
   * Whether a session exists and has not ended. Waits for a concurrent end of the session, and delays later ones until the transaction ends.
   * @param minIssuedAt of the developer, who must be locked, because a logout ends all sessions by it.
   */
  async lockOpen(
    tx: RequestContext,
    { developerId, sessionId, minIssuedAt }: SessionOfDeveloper & Pick<SessionOwner, 'minIssuedAt'>,
  ): Promise<boolean> {
    const session = await one(
      this.transactions.manager(tx),
      `SELECT 1 FROM refresh_family
       WHERE id = $1 AND developer_id = $2 AND revoked_at IS NULL AND expires_at > app_now() AND created_at >= $3 FOR SHARE`,
      [sessionId, developerId, minIssuedAt],
    );
    return session !== null;
  }

  async revokeFamily(ctx: RequestContext, familyId: string): Promise<void> {
    await changed(
      this.transactions.manager(ctx),
      'UPDATE refresh_family SET revoked_at = app_now() WHERE id = $1 AND revoked_at IS NULL',
      [familyId],
    );
  }

  /** Lists the sessions of a developer that can still be refreshed, newest first. */
  async list(
    ctx: RequestContext,
    owner: SessionOwner,
    { limit, cursor }: PageRequest,
  ): Promise<Page<RefreshFamilyEntity>> {
    const list: ListName = `sessions|${owner.developerId}`;
    const before = decodeCursor(cursor, list);
    const families = this.transactions.manager(ctx).getRepository(RefreshFamilyEntity);
    const found = await rows<RefreshFamilyEntity>(
      families.manager,
      `SELECT ${columnsOf(families.metadata)} FROM refresh_family
       WHERE ${ACTIVE} AND ($4::uuid IS NULL OR id < $4) ORDER BY id DESC LIMIT $5`,
      [...valuesOf(owner), before, limit + 1],
    );
    return pageOf(found, limit, list);
  }

  /** Revokes sessions that can still be refreshed. @param change one session, or all but one; null for all. @returns their number. */
  revoke(
    ctx: RequestContext,
    owner: SessionOwner,
    change: { only: string } | { except: string | null },
  ): Promise<number> {
    const [condition, id] = 'only' in change ? ['id = $4', change.only] : ['id IS DISTINCT FROM $4', change.except];
    return changed(
      this.transactions.manager(ctx),
      `UPDATE refresh_family SET revoked_at = app_now() WHERE ${ACTIVE} AND ${condition}`,
      [...valuesOf(owner), id],
    );
  }

  /** Deletes families that expired more than a day ago. */
  prune(ctx: RequestContext): Promise<void> {
    return deleteOlder(this.transactions.manager(ctx), 'refresh_family', {
      column: 'expires_at',
      age: `interval '1 day'`,
    });
  }
}
