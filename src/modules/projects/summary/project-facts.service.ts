import { Injectable } from '@nestjs/common';
import { AddedFields } from '#kernel/hook';
import { higherRole, impliedProjectRole, type ProjectRole } from '#kernel/access/roles';
import { isDeveloper } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { type Page } from '#kernel/cursor';
import { OrganizationsService } from '#modules/organizations';
import { ProjectMembersRepository } from '../members/project-members.repository';
import { type Project } from '../project';
import {
  type DescribedProject,
  NO_FACTS,
  NO_ICON,
  type ProjectFacts,
  type ProjectIcon,
  type ProjectSummary,
} from './project-facts';

/** Adds to projects, for responses, their icon and, on request, a summary of what upper modules know about them. */
@Injectable()
export class ProjectFactsService {
  /** By organization. */
  readonly icons = new AddedFields<string, ProjectIcon>(NO_ICON);
  /** By organization. Only summaries need them. */
  readonly facts = new AddedFields<string, ProjectFacts>(NO_FACTS);

  constructor(
    private readonly organizations: OrganizationsService,
    private readonly members: ProjectMembersRepository,
  ) {}

  async one(ctx: RequestContext, project: Project): Promise<DescribedProject> {
    const iconOf = await this.icons.read(ctx, project.organizationId, [project.id]);
    return { ...project, ...iconOf(project.id), summary: null };
  }

  /** @param page projects of one organization, which the caller may see. */
  async page(
    ctx: RequestContext,
    organizationId: string,
    page: Page<Project>,
    { summaries }: { readonly summaries: boolean },
  ): Promise<Page<DescribedProject>> {
    const ids = page.items.map(({ id }) => id);
    const iconOf = await this.icons.read(ctx, organizationId, ids);
    const summaryOf = summaries ? await this.readSummaries(ctx, organizationId, page.items, iconOf) : () => null;
    const items = page.items.map((project) => ({ ...project, ...iconOf(project.id), summary: summaryOf(project) }));
    return { ...page, items };
  }

  async summary(ctx: RequestContext, project: Project): Promise<ProjectSummary> {
    const { organizationId, id } = project;
    const iconOf = await this.icons.read(ctx, organizationId, [id]);
    return (await this.readSummaries(ctx, organizationId, [project], iconOf))(project);
  }

  private async readSummaries(
    ctx: RequestContext,
    organizationId: string,
    projects: readonly Project[],
    iconOf: (id: string) => ProjectIcon,
  ): Promise<(project: Project) => ProjectSummary> {
    const ids = projects.map(({ id }) => id);
    const roleIn = await this.readRoles(ctx, organizationId);
    const factsOf = await this.facts.read(ctx, organizationId, ids);
    return (project) => ({ project, role: roleIn(project.id), ...iconOf(project.id), ...factsOf(project.id) });
  }

  /** The roles of the caller in projects, own or implied by the organization. */
  private async readRoles(ctx: RequestContext, organizationId: string): Promise<(id: string) => ProjectRole | null> {
    const { identity } = ctx;
    if (identity.kind === 'project-token') return () => identity.role;
    if (!isDeveloper(identity)) return () => null;
    const roles = (await this.organizations.findRoles(ctx, organizationId, identity.developerId)) ?? [];
    const implied = impliedProjectRole(roles);
    const own = await this.members.rolesOf(ctx, organizationId, identity.developerId);
    return (id) => higherRole(own.get(id) ?? null, implied);
  }
}
