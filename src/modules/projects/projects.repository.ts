import { Injectable } from '@nestjs/common';
import { Check, Column, Entity, ForeignKey, PrimaryColumn, Unique, In, type Repository } from 'typeorm';
import { type Language } from '#kernel/text/language';
import { type AccessFacts, type Parents } from '#kernel/access/policy';
import { higherRole, impliedProjectRole, ROLES_IN_EVERY_PROJECT } from '#kernel/access/roles';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { decodeCursor, type ListName, type Page, pageOf, type PageRequest } from '#kernel/cursor';
import { columnsOf, one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type VisibleProject } from './summary/project-facts';

/** An app that an organization distributes. */
@Entity('project')
@Unique('uq_project_organization', ['organizationId', 'id'])
@Unique('uq_project_name', ['organizationId', 'name'])
@Check('ck_project_language', `language IN ('en', 'de')`)
export class ProjectEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_project' })
  id: string;

  @ForeignKey('OrganizationEntity', { name: 'fk_project_organization' })
  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('text')
  name: string;

  @Column('boolean', { name: 'allow_any_bundle_id' })
  allowAnyBundleId: boolean;

  /** The language of the mails to testers. */
  @Column('text', { default: 'en' })
  language: Language;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

/** The columns that the joins below add to a row. */
export type MemberFacts = Pick<AccessFacts, 'organizationRoles' | 'projectRole' | 'projectExists'>;

/** The columns of `MEMBER_JOINS`, named as in `MemberFacts`. */
export const MEMBER_COLUMNS = `m.roles AS "organizationRoles", pm.role AS "projectRole", p.id IS NOT NULL AS "projectExists"`;

/**
 * Joins to a developer `d` their roles in the organization $1 and in its project $2. Both may be null. The developer's row stays when
 * they have no role, so a query can authenticate them and read their roles at once.
 */
export const MEMBER_JOINS = `LEFT JOIN membership m ON m.organization_id = $1 AND m.developer_id = d.id
  LEFT JOIN project p ON p.organization_id = m.organization_id AND p.id = $2
  LEFT JOIN project_membership pm ON pm.organization_id = p.organization_id AND pm.project_id = p.id AND pm.developer_id = d.id`;

/** @param member null when the developer was not found. */
export const accessFactsOf = (parents: Parents, member: MemberFacts | null): AccessFacts => ({
  organizationId: parents.organizationId,
  projectId: parents.projectId,
  organizationRoles: member?.organizationRoles ?? null,
  projectRole: member?.projectRole ?? null,
  projectExists: member?.projectExists ?? false,
});

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
    const columns = columnsOf(this.projects(ctx).metadata);
    const statement = `SELECT ${columns} FROM project WHERE organization_id = $1 AND id = $2`;
    return one(this.transactions.manager(ctx), statement, [organizationId, projectId]);
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

  async findExisting(ctx: RequestContext, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const found = await this.projects(ctx).find({ select: { id: true }, where: { id: In([...ids]) } });
    return new Set(found.map(({ id }) => id));
  }

  /** The projects in which a developer has a role, own or implied by the organization. */
  async list(
    ctx: RequestContext,
    organizationId: string,
    { q, developerId }: ProjectFilter & { readonly developerId: string },
    { limit, cursor }: PageRequest,
  ): Promise<Page<VisibleProject>> {
    const list: ListName = `projects|${organizationId}`;
    const pattern = q ? `%${q.replace(/[\\%_]/g, '\\$&')}%` : null;
    const found = await rows<ProjectEntity & Pick<MemberFacts, 'organizationRoles' | 'projectRole'>>(
      this.transactions.manager(ctx),
      `SELECT p.id, p.organization_id AS "organizationId", p.name, p.allow_any_bundle_id AS "allowAnyBundleId", p.language,
              p.created_at AS "createdAt", m.roles AS "organizationRoles", pm.role AS "projectRole"
       FROM membership m JOIN project p ON p.organization_id = m.organization_id
       LEFT JOIN project_membership pm ON pm.project_id = p.id AND pm.developer_id = m.developer_id
       WHERE m.organization_id = $1 AND m.developer_id = $2 AND (m.roles && $3::text[] OR pm.role IS NOT NULL)
         AND ($4::uuid IS NULL OR p.id < $4) AND ($5::text IS NULL OR p.name ILIKE $5)
       ORDER BY p.id DESC LIMIT $6`,
      [organizationId, developerId, ROLES_IN_EVERY_PROJECT, decodeCursor(cursor, list), pattern, limit + 1],
    );
    const visible = found.map(({ organizationRoles, projectRole, ...project }) => ({
      ...project,
      role: higherRole(projectRole, impliedProjectRole(organizationRoles ?? [])),
    }));
    return pageOf(visible, limit, list);
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
