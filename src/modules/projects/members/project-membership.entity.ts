import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { type ProjectRole } from '#kernel/access/roles';

/** A member's own role in a project. Organization roles may imply a higher one. */
@Entity('project_membership')
@Index('ix_project_membership_developer', ['organizationId', 'developerId'])
@ForeignKey('ProjectEntity', ['organizationId', 'projectId'], ['organizationId', 'id'], {
  name: 'fk_project_membership_project',
  onDelete: 'CASCADE',
})
@ForeignKey('MembershipEntity', ['organizationId', 'developerId'], ['organizationId', 'developerId'], {
  name: 'fk_project_membership_membership',
  onDelete: 'CASCADE',
})
export class ProjectMembershipEntity {
  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @PrimaryColumn('uuid', { name: 'project_id', primaryKeyConstraintName: 'pk_project_membership' })
  projectId: string;

  @PrimaryColumn('uuid', { name: 'developer_id', primaryKeyConstraintName: 'pk_project_membership' })
  developerId: string;

  @Column('text')
  role: ProjectRole;
}
