import { Injectable } from '@nestjs/common';
import {
  Check,
  Column,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
  Unique,
  IsNull,
  MoreThan,
  type Repository,
} from 'typeorm';
import { type PatScope } from '#kernel/access/roles';
import { type RequestContext } from '#kernel/context/request-context';
import { type Parents } from '#kernel/access/policy';
import { type PatIdentity } from '#kernel/context/identity';
import { type Page, type PageRequest } from '#kernel/cursor';
import { findPage } from '#infra/database/find-page';
import { one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { MEMBER_COLUMNS, MEMBER_JOINS, type MemberFacts } from '#modules/projects';

/** A developer's credential for scripts, bound to one organization. Only its digest is stored. */
@Entity('personal_access_token')
@Unique('uq_personal_access_token_digest', ['digest'])
@Check('ck_personal_access_token_scopes', 'cardinality(scopes) > 0')
@Index('ix_personal_access_token_organization', ['organizationId', 'id'])
@Index('ix_personal_access_token_expires', ['expiresAt'], { where: 'expires_at IS NOT NULL' })
@Index('ix_personal_access_token_developer', ['developerId'])
@ForeignKey('MembershipEntity', ['organizationId', 'developerId'], ['organizationId', 'developerId'], {
  name: 'fk_personal_access_token_membership',
  onDelete: 'CASCADE',
})
export class PersonalAccessTokenEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_personal_access_token' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'developer_id' })
  developerId: string;

  @Column('text')
  name: string;

  @Column('text', { array: true })
  scopes: PatScope[];

  @Column({ type: 'bytea' })
  digest: Buffer;

  @Column('text')
  last4: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3, nullable: true })
  expiresAt: Date | null;

  @Column({ type: 'timestamptz', name: 'revoked_at', precision: 3, nullable: true })
  revokedAt: Date | null;

  @Column({ type: 'timestamptz', name: 'last_used_at', precision: 3, nullable: true })
  lastUsedAt: Date | null;
}

/** A valid token with its owner, and the owner's roles in the parents of the request. */
interface OwnedToken
  extends
    MemberFacts,
    Pick<PersonalAccessTokenEntity, 'id' | 'developerId' | 'organizationId' | 'scopes' | 'expiresAt' | 'lastUsedAt'>,
    Pick<PatIdentity, 'email' | 'emailVerified'> {}

@Injectable()
export class PersonalAccessTokensRepository {
  constructor(private readonly transactions: Transactions) {}

  /**
   * Counts the developer's valid tokens. The lock lasts until the transaction ends, so concurrent creations cannot exceed a
   * quota.
   */
  async lockAndCount(ctx: RequestContext, developerId: string): Promise<number> {
    await this.transactions.advisoryLock(ctx, `personal-access-tokens|${developerId}`);
    const unrevoked = { developerId, revokedAt: IsNull() };
    return this.tokens(ctx).countBy([
      { ...unrevoked, expiresAt: IsNull() },
      { ...unrevoked, expiresAt: MoreThan(ctx.clock.now()) },
    ]);
  }

  async insert(ctx: RequestContext, token: PersonalAccessTokenEntity): Promise<void> {
    await this.tokens(ctx).insert(token);
  }

  /** @param ownerId lists only the tokens of this developer. `null` lists all tokens of the organization. */
  async list(
    ctx: RequestContext,
    organizationId: string,
    ownerId: string | null,
    page: PageRequest,
  ): Promise<Page<PersonalAccessTokenEntity>> {
    const where = { organizationId, revokedAt: IsNull(), ...(ownerId && { developerId: ownerId }) };
    return findPage(this.tokens(ctx), where, page, `personal-access-tokens|${organizationId}`);
  }

  /** Expired tokens are included; revoked tokens are not. */
  findUnrevoked(ctx: RequestContext, organizationId: string, id: string): Promise<PersonalAccessTokenEntity | null> {
    return this.tokens(ctx).findOneBy({ organizationId, id, revokedAt: IsNull() });
  }

  /** @returns false when the token does not exist or is already revoked. */
  async revoke(ctx: RequestContext, organizationId: string, id: string): Promise<boolean> {
    const change = { revokedAt: ctx.clock.now() };
    const { affected } = await this.tokens(ctx).update({ organizationId, id, revokedAt: IsNull() }, change);
    return affected === 1;
  }

  /** Revokes all tokens of a developer, in every organization. @returns those that were not revoked before. */
  revokeAll(ctx: RequestContext, developerId: string): Promise<{ id: string; organizationId: string }[]> {
    return rows(
      this.transactions.manager(ctx),
      `UPDATE personal_access_token SET revoked_at = $2 WHERE developer_id = $1 AND revoked_at IS NULL
       RETURNING id, organization_id AS "organizationId"`,
      [developerId, ctx.clock.now()],
    );
  }

  async rotate(
    ctx: RequestContext,
    id: string,
    value: Pick<PersonalAccessTokenEntity, 'digest' | 'last4'>,
  ): Promise<void> {
    await this.tokens(ctx).update({ id }, value);
  }

  /** Finds a valid token by the digest of its value. */
  async findByDigest(ctx: RequestContext, digest: Buffer): Promise<PersonalAccessTokenEntity | null> {
    const token = await this.tokens(ctx).findOneBy({ digest, revokedAt: IsNull() });
    return token && isUnexpired(ctx, token) ? token : null;
  }

  /**
   * Finds a valid token by the digest of its value, with its owner and their roles in the parents that a request names, in one query,
   * because every request with a token runs it. Null also when the owner's account is suspended.
   */
  async findOwned(
    ctx: RequestContext,
    digest: Buffer,
    { organizationId, projectId }: Parents,
  ): Promise<OwnedToken | null> {
    const token = await one<OwnedToken>(
      this.transactions.manager(ctx),
      `SELECT t.id, t.developer_id AS "developerId", t.organization_id AS "organizationId", t.scopes, t.expires_at AS "expiresAt",
              t.last_used_at AS "lastUsedAt", d.email, d.email_verified_at IS NOT NULL AS "emailVerified", ${MEMBER_COLUMNS}
       FROM personal_access_token t
       JOIN developer d ON d.id = t.developer_id AND d.suspended_at IS NULL
       ${MEMBER_JOINS}
       WHERE t.digest = $3 AND t.revoked_at IS NULL`,
      [organizationId, projectId, digest],
    );
    return token && isUnexpired(ctx, token) ? token : null;
  }

  private tokens(ctx: RequestContext): Repository<PersonalAccessTokenEntity> {
    return this.transactions.manager(ctx).getRepository(PersonalAccessTokenEntity);
  }
}

const isUnexpired = (ctx: RequestContext, { expiresAt }: Pick<PersonalAccessTokenEntity, 'expiresAt'>): boolean =>
  expiresAt === null || expiresAt > ctx.clock.now();
