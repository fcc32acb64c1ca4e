import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { type OrganizationRole } from '#kernel/access/roles';

/** An open invitation. The row is deleted when it is accepted, declined, withdrawn or replaced, or a week after it expired. */
@Entity('organization_invitation')
@Unique('uq_organization_invitation_digest', ['digest'])
@Unique('uq_organization_invitation_email', ['organizationId', 'emailKey'])
@Check('ck_organization_invitation_roles', 'cardinality(roles) > 0')
@Index('ix_organization_invitation_organization', ['organizationId', 'id'])
@Index('ix_organization_invitation_email_key', ['emailKey', 'id'])
@Index('ix_organization_invitation_expires_at', ['expiresAt'])
export class InvitationEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_organization_invitation' })
  id: string;

  @ForeignKey('OrganizationEntity', { name: 'fk_organization_invitation_organization', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('text')
  email: string;

  @Column('text', { name: 'email_key' })
  emailKey: string;

  @Column('text', { array: true })
  roles: OrganizationRole[];

  @Column({ type: 'bytea' })
  digest: Buffer;

  @ForeignKey('DeveloperEntity', { name: 'fk_organization_invitation_inviter', onDelete: 'SET NULL' })
  @Column('uuid', { name: 'invited_by', nullable: true })
  invitedBy: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;
}
