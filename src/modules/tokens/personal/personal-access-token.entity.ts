import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { type PatScope } from '#kernel/access/roles';

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
