import { Injectable } from '@nestjs/common';
import { LessThan, type Repository } from 'typeorm';
import { type ProjectRole } from '#kernel/access/roles';
import { type RequestContext } from '#kernel/context/request-context';
import { decodeCursor, type ListName, type Page, pageOf, type PageRequest } from '#kernel/cursor';
import { type ProjectScope } from '#kernel/context/scope';
import { Transactions } from '#infra/database/transactions';
import { ProjectMembershipEntity } from './project-membership.entity';

@Injectable()
export class ProjectMembersRepository {
  constructor(private readonly transactions: Transactions) {}

  async findRole(ctx: RequestContext, scope: ProjectScope, developerId: string): Promise<ProjectRole | null> {
    return (await this.members(ctx).findOneBy({ ...scope, developerId }))?.role ?? null;
  }

  async page(
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

  /** Gives a member of the organization a role. The foreign key refuses whoever is not one. */
  async put(ctx: RequestContext, scope: ProjectScope, developerId: string, role: ProjectRole): Promise<void> {
    await this.members(ctx).upsert({ ...scope, developerId, role }, ['projectId', 'developerId']);
  }

  async delete(ctx: RequestContext, scope: ProjectScope, developerId: string): Promise<boolean> {
    return ((await this.members(ctx).delete({ ...scope, developerId })).affected ?? 0) > 0;
  }

  private members(ctx: RequestContext): Repository<ProjectMembershipEntity> {
    return this.transactions.manager(ctx).getRepository(ProjectMembershipEntity);
  }
}
