import { Injectable } from '@nestjs/common';
import { In, LessThan, type Repository } from 'typeorm';
import { type ProjectRole } from '#kernel/access/roles';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { decodeCursor, type ListName, type Page, pageOf, type PageRequest } from '#kernel/cursor';
import { Transactions } from '#infra/database/transactions';
import { ProjectMembershipEntity } from './project-membership.entity';

@Injectable()
export class ProjectMembersRepository {
  constructor(private readonly transactions: Transactions) {}

  /** @returns the developer's own role in the project; null when there is none. */
  async findRole(ctx: RequestContext, scope: ProjectScope, developerId: string): Promise<ProjectRole | null> {
    return (await this.members(ctx).findOneBy({ ...scope, developerId }))?.role ?? null;
  }

  /** The developer's own roles in projects, by project. Projects without one are skipped. */
  async findRoles(
    ctx: RequestContext,
    organizationId: string,
    developerId: string,
    projectIds: readonly string[],
  ): Promise<ReadonlyMap<string, ProjectRole>> {
    const found = await this.members(ctx).findBy({ organizationId, developerId, projectId: In([...projectIds]) });
    return new Map(found.map(({ projectId, role }) => [projectId, role]));
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
