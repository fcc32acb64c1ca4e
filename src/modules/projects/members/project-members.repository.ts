import { Injectable } from '@nestjs/common';
import { Column, Entity, ForeignKey, Index, PrimaryColumn, type Repository } from 'typeorm';
import { type MemberRoles } from '#kernel/access/policy';
import { impliedProjectRole, type OrganizationRole, type ProjectRole } from '#kernel/access/roles';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { type Page, type PageRequest } from '#kernel/cursor';
import { findPage } from '#infra/database/find-page';
import { one } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';

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

@Injectable()
export class ProjectMembersRepository {
  constructor(private readonly transactions: Transactions) {}

  /** @returns the developer's own role in the project; null when there is none. */
  async findRole(ctx: RequestContext, scope: ProjectScope, developerId: string): Promise<ProjectRole | null> {
    return (await this.members(ctx).findOneBy({ ...scope, developerId }))?.role ?? null;
  }

  /** The developer's roles in the organization and its projects. Reads `membership`, of a lower module. */
  async rolesOf(ctx: RequestContext, organizationId: string, developerId: string): Promise<MemberRoles> {
    const found = await one<{
      readonly organization: readonly OrganizationRole[];
      readonly own: Readonly<Record<string, ProjectRole>> | null;
    }>(
      this.transactions.manager(ctx),
      `SELECT m.roles AS organization, (
         SELECT jsonb_object_agg(project_id, role) FROM project_membership WHERE organization_id = $1 AND developer_id = $2
       ) AS own FROM membership m WHERE m.organization_id = $1 AND m.developer_id = $2`,
      [organizationId, developerId],
    );
    const { organization, own } = found ?? { organization: [], own: null };
    return { organization, implied: impliedProjectRole(organization), own: new Map(Object.entries(own ?? {})) };
  }

  async list(ctx: RequestContext, scope: ProjectScope, page: PageRequest): Promise<Page<ProjectMembershipEntity>> {
    return findPage(this.members(ctx), { ...scope }, page, `project-members|${scope.projectId}`, 'developerId');
  }

  /** Inserts the role or replaces it. The foreign key rejects a developer who is not a member of the organization. */
  async put(ctx: RequestContext, scope: ProjectScope, developerId: string, role: ProjectRole): Promise<void> {
    await this.members(ctx).upsert({ ...scope, developerId, role }, ['projectId', 'developerId']);
  }

  /** @returns false when the developer has no own role in the project. */
  async delete(ctx: RequestContext, scope: ProjectScope, developerId: string): Promise<boolean> {
    return ((await this.members(ctx).delete({ ...scope, developerId })).affected ?? 0) > 0;
  }

  private members(ctx: RequestContext): Repository<ProjectMembershipEntity> {
    return this.transactions.manager(ctx).getRepository(ProjectMembershipEntity);
  }
}
