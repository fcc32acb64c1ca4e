import { Injectable } from '@nestjs/common';
import { ILike, In, LessThan, type Repository } from 'typeorm';
import { type Parents } from '#kernel/access/policy';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { decodeCursor, type ListName, type Page, pageOf, type PageRequest } from '#kernel/cursor';
import { one } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { MEMBER_COLUMNS, MEMBER_JOINS, type MemberFacts } from './members/member-facts';
import { ProjectMembershipEntity } from './members/project-membership.entity';
import { ProjectEntity } from './project.entity';

export interface ProjectFilter {
  /** Text found in the name. Case is ignored. */
  readonly q?: string | undefined;
}

@Injectable()
export class ProjectsRepository {
  constructor(private readonly transactions: Transactions) {}

  /**
   * Counts the organization's projects. The lock lasts until the transaction ends, so concurrent creations cannot exceed a
   * quota.
   */
  async lockAndCount(ctx: RequestContext, organizationId: string): Promise<number> {
    await this.transactions.advisoryLock(ctx, `projects|${organizationId}`);
    return this.count(ctx, organizationId);
  }

  count(ctx: RequestContext, organizationId: string): Promise<number> {
    return this.projects(ctx).countBy({ organizationId });
  }

  async insert(ctx: RequestContext, project: ProjectEntity): Promise<void> {
    await this.projects(ctx).insert(project);
  }

  find(ctx: RequestContext, { organizationId, projectId }: ProjectScope): Promise<ProjectEntity | null> {
    return this.projects(ctx).findOneBy({ organizationId, id: projectId });
  }

  /** Null when the developer does not exist. */
  findMember(
    ctx: RequestContext,
    { organizationId, projectId }: Parents,
    developerId: string,
  ): Promise<MemberFacts | null> {
    return one(
      this.transactions.manager(ctx),
      `SELECT ${MEMBER_COLUMNS} FROM developer d ${MEMBER_JOINS} WHERE d.id = $3`,
      [organizationId, projectId, developerId],
    );
  }

  /** The names of projects by id. Missing ids are skipped. */
  async findNames(
    ctx: RequestContext,
    organizationId: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const found = await this.projects(ctx).find({
      select: { id: true, name: true },
      where: { organizationId, id: In([...ids]) },
    });
    return new Map(found.map(({ id, name }) => [id, name]));
  }

  /** @param filter.memberId lists only the projects in which this developer has a role. `null` lists all projects. */
  async list(
    ctx: RequestContext,
    organizationId: string,
    { q, memberId }: ProjectFilter & { readonly memberId: string | null },
    { limit, cursor }: PageRequest,
  ): Promise<Page<ProjectEntity>> {
    const list: ListName = `projects|${organizationId}`;
    const before = decodeCursor(cursor, list);
    const query = this.projects(ctx)
      .createQueryBuilder('project')
      .where({
        organizationId,
        ...(before && { id: LessThan(before) }),
        ...(q && { name: ILike(`%${q.replace(/[\\%_]/g, '\\$&')}%`) }),
      })
      .orderBy('project.id', 'DESC')
      .take(limit + 1);
    if (memberId) {
      query.innerJoin(ProjectMembershipEntity, 'm', 'm.project_id = project.id AND m.developer_id = :memberId', {
        memberId,
      });
    }
    return pageOf(await query.getMany(), limit, list);
  }

  async update(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    change: Partial<Pick<ProjectEntity, 'name' | 'allowAnyBundleId'>>,
  ): Promise<void> {
    await this.projects(ctx).update({ organizationId, id: projectId }, change);
  }

  /** @returns false when the project does not exist. */
  async delete(ctx: RequestContext, { organizationId, projectId }: ProjectScope): Promise<boolean> {
    const { affected } = await this.projects(ctx).delete({ organizationId, id: projectId });
    return affected === 1;
  }

  private projects(ctx: RequestContext): Repository<ProjectEntity> {
    return this.transactions.manager(ctx).getRepository(ProjectEntity);
  }
}
