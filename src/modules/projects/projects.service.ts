import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { AppError } from '#kernel/errors/app-error';
import { Hook } from '#kernel/hook';
import { newId } from '#kernel/ids';
import { type Quota, type QuotaUse, requireRoom } from '#kernel/quota';
import { DEFAULT_LANGUAGE, type Language } from '#kernel/text/language';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { QuotaConfig } from '#infra/config/config';
import { Transactions } from '#infra/database/transactions';
import { OrganizationsService } from '#modules/organizations';
import { type BranchChannels, type Project } from './project';
import { ProjectsRepository } from './projects.repository';

/** A new project. */
export interface ProjectDraft {
  readonly name: string;
  readonly allowAnyBundleId?: boolean | undefined;
  readonly language?: Language | undefined;
  readonly signingExpiryMails?: boolean | undefined;
  readonly branchChannels?: BranchChannels | null | undefined;
}

/** Changes of a project. Absent fields stay unchanged. */
export interface ProjectChange {
  readonly name?: string | undefined;
  readonly allowAnyBundleId?: boolean | undefined;
  readonly language?: Language | undefined;
  readonly signingExpiryMails?: boolean | undefined;
  readonly branchChannels?: BranchChannels | null | undefined;
}

@Injectable()
export class ProjectsService implements OnModuleInit {
  /** Runs before the transaction that deletes a project, and may do a part of the work in transactions of its own. */
  readonly clearing = new Hook<[ctx: RequestContext, scope: ProjectScope]>();
  /** Runs before a project is deleted, in the same transaction. */
  readonly deleting = new Hook<[tx: RequestContext, scope: ProjectScope]>();

  constructor(
    private readonly repository: ProjectsRepository,
    private readonly organizations: OrganizationsService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
    private readonly quotas: QuotaConfig,
  ) {}

  onModuleInit(): void {
    this.organizations.deleting.add(async (tx, organizationId) => {
      if (await this.repository.exist(tx, organizationId)) throw hasProjects();
    });
  }

  /**
   * @throws AppError already_exists when the name is in use; quota_exceeded when the organization has no room for a project.
   */
  async create(ctx: RequestContext, organizationId: string, draft: ProjectDraft): Promise<Project> {
    return this.transactions.run(ctx, async (tx) => {
      await this.requireQuota(tx, organizationId);
      const project: Project = {
        id: newId(),
        organizationId,
        name: draft.name,
        allowAnyBundleId: draft.allowAnyBundleId ?? false,
        language: draft.language ?? DEFAULT_LANGUAGE,
        signingExpiryMails: draft.signingExpiryMails ?? true,
        branchChannels: draft.branchChannels ?? null,
        createdAt: tx.clock.now(),
      };
      await this.repository.insert(tx, project);
      await this.audit.record(tx, {
        type: 'project.created',
        organizationId,
        projectId: project.id,
        payload: { name: project.name },
      });
      return project;
    });
  }

  /** @throws AppError not_found */
  async get(ctx: RequestContext, scope: ProjectScope): Promise<Project> {
    const project = await this.repository.find(ctx, scope);
    if (!project) throw AppError.notFound('project');
    return project;
  }

  /** @throws AppError not_found; already_exists when the new name is in use. */
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

  /**
   * Deletes, in batches, what a deletion of the project would delete in one transaction. Called before `delete`, without a transaction.
   * Repeating it continues.
   */
  async clear(ctx: RequestContext, scope: ProjectScope): Promise<void> {
    await this.clearing.run(ctx, scope);
  }

  /** @throws AppError not_found; dependency_exists while the project has builds outside the trash. */
  async delete(ctx: RequestContext, scope: ProjectScope): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      await this.deleting.run(tx, scope);
      if (!(await this.repository.delete(tx, scope))) throw AppError.notFound('project');
      await this.audit.record(tx, { type: 'project.deleted', ...scope, payload: {} });
    });
  }

  /** The names of projects by id. Missing ids are skipped. Does not check what the caller may see. */
  findNames(ctx: RequestContext, organizationId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.repository.findNames(ctx, organizationId, ids);
  }

  /** The ids of those projects that exist, in any organization. */
  findExisting(ctx: RequestContext, ids: readonly string[]): Promise<ReadonlySet<string>> {
    return this.repository.findExisting(ctx, ids);
  }

  /** The organization's number of projects and its limit. */
  async quota(ctx: RequestContext, organizationId: string): Promise<QuotaUse> {
    return { ...this.projectQuota, used: await this.repository.count(ctx, organizationId) };
  }

  private get projectQuota(): Quota {
    return { name: 'projects_per_organization', limit: this.quotas.projectsPerOrganization };
  }

  private async requireQuota(tx: RequestContext, organizationId: string): Promise<void> {
    const { limit } = this.projectQuota;
    const used = await this.repository.lockAndCount(tx, organizationId);
    requireRoom(
      this.projectQuota,
      used,
      `The organization has ${limit} projects, which is the limit. Delete one first.`,
    );
  }
}

const hasProjects = (): AppError =>
  new AppError('dependency_exists', { message: 'A project still uses it. Delete that first.' });
