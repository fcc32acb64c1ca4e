import { Injectable } from '@nestjs/common';
import { impliedProjectRole, type ProjectRole } from '#kernel/access/roles';
import { developerOf, type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { newId } from '#kernel/ids';
import { type Page, type PageRequest } from '#kernel/cursor';
import { OrganizationsService } from '#modules/organizations';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { QuotaConfig } from '#infra/config/config';
import { Transactions } from '#infra/database/transactions';
import { requireRoom } from '#kernel/quota';
import { type ProjectScope } from '#kernel/context/scope';
import { type Project } from './project';
import { ProjectMembersRepository } from './members/project-members.repository';
import { ProjectsRepository } from './projects.repository';

export interface ProjectChange {
  readonly name?: string | undefined;
  readonly allowAnyBundleId?: boolean | undefined;
}

/** The apps of an organization. */
@Injectable()
export class ProjectsService {
  constructor(
    private readonly repository: ProjectsRepository,
    private readonly members: ProjectMembersRepository,
    private readonly organizations: OrganizationsService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
    private readonly quotas: QuotaConfig,
  ) {}

  /** @throws AppError already_exists for a name in use, quota_exceeded over the organization's limit. */
  async create(
    ctx: RequestContext,
    organizationId: string,
    { name, allowAnyBundleId }: ProjectChange & { name: string },
  ): Promise<Project> {
    return this.transactions.run(ctx, async (tx) => {
      const limit = this.quotas.projectsPerOrganization;
      const used = await this.repository.lockAndCount(tx, organizationId);
      requireRoom(
        { name: 'projects_per_organization', limit },
        used,
        `The organization has ${limit} projects, which is the limit.`,
      );
      const project = {
        id: newId(),
        organizationId,
        name,
        allowAnyBundleId: allowAnyBundleId ?? false,
        createdAt: tx.clock.now(),
      };
      await this.repository.insert(tx, project);
      await this.audit.record(tx, {
        type: 'project.created',
        organizationId,
        projectId: project.id,
        payload: { name },
      });
      return project;
    });
  }

  async get(ctx: RequestContext, scope: ProjectScope): Promise<Project> {
    const project = await this.repository.find(ctx, scope);
    if (!project) throw AppError.notFound('project');
    return project;
  }

  /** All that the caller may see: every project with an organization role that implies one, else those they have a role in. */
  async page(ctx: RequestContext, organizationId: string, request: PageRequest): Promise<Page<Project>> {
    const { developerId } = developerOf(ctx);
    const roles = (await this.organizations.findRoles(ctx, organizationId, developerId)) ?? [];
    return this.repository.page(ctx, organizationId, impliedProjectRole(roles) ? null : developerId, request);
  }

  async update(ctx: RequestContext, scope: ProjectScope, change: ProjectChange): Promise<Project> {
    return this.transactions.run(ctx, async (tx) => {
      const present = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
      if (Object.keys(present).length > 0) {
        await this.repository.update(tx, scope, present);
        await this.audit.record(tx, { type: 'project.updated', ...scope, payload: present });
      }
      return this.get(tx, scope);
    });
  }

  /** @throws AppError dependency_exists while it has builds. */
  async delete(ctx: RequestContext, scope: ProjectScope): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      if (!(await this.repository.delete(tx, scope))) throw AppError.notFound('project');
      await this.audit.record(tx, { type: 'project.deleted', ...scope, payload: {} });
    });
  }

  /** Whether a project is there, and a developer's own role in it. */
  async findRole(
    ctx: RequestContext,
    scope: ProjectScope,
    developerId: string,
  ): Promise<{ exists: boolean; role: ProjectRole | null }> {
    const [project, role] = [
      await this.repository.find(ctx, scope),
      await this.members.findRole(ctx, scope, developerId),
    ];
    return { exists: project !== null, role };
  }
}
