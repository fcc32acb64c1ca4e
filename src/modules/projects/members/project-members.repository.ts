import { Injectable } from '@nestjs/common';
import { Column, Entity, ForeignKey, Index, PrimaryColumn, type Repository } from 'typeorm';
import { type ProjectRole } from '#kernel/access/roles';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { type Page, type PageRequest } from '#kernel/cursor';
import { findPage } from '#infra/database/find-page';
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

  async list(ctx: RequestContext, scope: ProjectScope, page: PageRequest): Promise<Page<ProjectMembershipEntity>> {
    return findPage(this.members(ctx), { ...scope }, page, `project-members|${scope.projectId}`, 'developerId');
  }

  /** The ids of the developers who have the role themselves. */
  async findWithRole(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    role: ProjectRole,
  ): Promise<readonly string[]> {
    const where = { organizationId, projectId, role };
    const found = await this.members(ctx).find({ select: { projectId: true, developerId: true }, where });
    return found.map(({ developerId }) => developerId);
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
