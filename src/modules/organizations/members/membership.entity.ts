import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { type OrganizationRole } from '#kernel/access/roles';

/** A developer's membership of an organization, with their roles. */
@Entity('membership')
@Check('ck_membership_roles', 'cardinality(roles) > 0')
@Index('ix_membership_developer', ['developerId'])
export class MembershipEntity {
  @ForeignKey('OrganizationEntity', { name: 'fk_membership_organization', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'organization_id', primaryKeyConstraintName: 'pk_membership' })
  organizationId: string;

  @ForeignKey('DeveloperEntity', { name: 'fk_membership_developer', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'developer_id', primaryKeyConstraintName: 'pk_membership' })
  developerId: string;

  @Column('text', { array: true })
  roles: OrganizationRole[];

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
