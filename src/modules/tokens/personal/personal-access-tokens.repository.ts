import { Injectable } from '@nestjs/common';
import { Check, Column, Entity, ForeignKey, Index, IsNull, PrimaryColumn, Unique } from 'typeorm';
import { type PatScope } from '#kernel/access/roles';
import { type RequestContext } from '#kernel/context/request-context';
import { type Page, type PageRequest } from '#kernel/cursor';
import { rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { Logger } from '#infra/logging/logger';
import { AccessTokenEntity } from '../lifetime/access-token.entity';
import { AccessTokensRepository } from '../lifetime/access-tokens.repository';
import { isUnexpired } from '../lifetime/token-expiry';

/** A developer's credential for scripts, bound to one organization. */
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
export class PersonalAccessTokenEntity extends AccessTokenEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_personal_access_token' })
  id: string;

  @Column('uuid', { name: 'developer_id' })
  developerId: string;

  @Column('text', { array: true })
  scopes: PatScope[];
}

@Injectable()
export class PersonalAccessTokensRepository extends AccessTokensRepository<
  PersonalAccessTokenEntity,
  { readonly organizationId: string }
> {
  constructor(transactions: Transactions, logger: Logger) {
    super(transactions, logger, PersonalAccessTokenEntity);
  }

  /**
   * Counts the developer's valid tokens. The lock lasts until the transaction ends, so concurrent creations cannot exceed a
   * quota.
   */
  async lockAndCount(tx: RequestContext, developerId: string): Promise<number> {
    await this.transactions.advisoryLock(tx, `personal-access-tokens|${developerId}`);
    return this.countValid(tx, { developerId });
  }

  /** @param ownerId lists only the tokens of this developer. `null` lists all tokens of the organization. */
  list(
    ctx: RequestContext,
    organizationId: string,
    ownerId: string | null,
    page: PageRequest,
  ): Promise<Page<PersonalAccessTokenEntity>> {
    const owner = { organizationId, ...(ownerId && { developerId: ownerId }) };
    return this.pageOf(ctx, owner, page, `personal-access-tokens|${organizationId}`);
  }

  /** Revokes all tokens of a developer, in every organization. @returns those that were not revoked before. */
  revokeAll(tx: RequestContext, developerId: string): Promise<{ id: string; organizationId: string }[]> {
    return rows(
      this.transactions.manager(tx),
      `UPDATE personal_access_token SET revoked_at = $2 WHERE developer_id = $1 AND revoked_at IS NULL
       RETURNING id, organization_id AS "organizationId"`,
      [developerId, tx.clock.now()],
    );
  }

  async rotate(
    tx: RequestContext,
    id: string,
    value: Pick<PersonalAccessTokenEntity, 'digest' | 'last4'>,
  ): Promise<void> {
    await this.tokens(tx).update({ id }, value);
  }

  /** Finds the token of an organization with a value, also a revoked or expired one. */
  findAnyByDigest(
    ctx: RequestContext,
    organizationId: string,
    digest: Buffer,
  ): Promise<PersonalAccessTokenEntity | null> {
    return this.tokens(ctx).findOneBy({ organizationId, digest });
  }

  /** Finds a valid token by the digest of its value. */
  async findByDigest(ctx: RequestContext, digest: Buffer): Promise<PersonalAccessTokenEntity | null> {
    const token = await this.tokens(ctx).findOneBy({ digest, revokedAt: IsNull() });
    return token && isUnexpired(ctx, token.expiresAt) ? token : null;
  }
}
