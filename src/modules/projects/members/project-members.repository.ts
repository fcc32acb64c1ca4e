import { Injectable } from '@nestjs/common';
import { Column, Entity, ForeignKey, Index, PrimaryColumn, LessThan, type Repository } from 'typeorm';
import { type ProjectRole } from '#kernel/access/roles';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { decodeCursor, type ListName, type Page, pageOf, type PageRequest } from '#kernel/cursor';
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

  /** @returns the developer's own roles in the organization, by project. */
  async rolesOf(
    ctx: RequestContext,
    organizationId: string,
    developerId: string,
  ): Promise<ReadonlyMap<string, ProjectRole>> {
    const rows = await this.members(ctx).findBy({ organizationId, developerId });
    return new Map(rows.map(({ projectId, role }) => [projectId, role]));
  }

  async list(
    ctx: RequestContext,
    scope: ProjectScope,
    { limit, cursor }: PageRequest,
  ): Promise<Page<ProjectMembershipEntity & { id: string }>> {
    const list: ListName = `project-members|${scope.projectId}`;
    const before = decodeCursor(cursor, list);
    const rows = await this.members(ctx).find({
      where: { ...scope, ...(before && { developerId: LessThan(before) }) },
      order: { developerId: 'DESC' },
      take: limit + 1,
    });
    return pageOf(
      rows.map((row) => ({ ...row, id: row.developerId })),
      limit,
      list,
    );
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
