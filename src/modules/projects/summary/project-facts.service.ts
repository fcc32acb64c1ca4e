import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type Page } from '#kernel/cursor';
import { type Project } from '../project';
import {
  type DescribedProject,
  NO_FACTS,
  NO_ICON,
  type ProjectFacts,
  type ProjectIcon,
  type ProjectSummary,
  type VisibleProject,
} from './project-facts';
import { type ProjectPart, ProjectPartsRepository } from './project-parts.repository';

type Part<Fields> = ProjectPart<Fields, never>;

/** Adds the icon to projects, for responses, and on request a summary with the data of upper modules. */
@Injectable()
export class ProjectFactsService {
  private readonly icons: Part<ProjectIcon>[] = [];
  /** Only summaries need these parts. */
  private readonly facts: Part<ProjectFacts>[] = [];

  constructor(private readonly repository: ProjectPartsRepository) {}

  /** Adds a part of every project. Upper modules call it in `onModuleInit`. */
  addIcon<Value>(part: ProjectPart<ProjectIcon, Value>): void {
    this.icons.push(part);
  }

  /** Adds a part of summaries. Upper modules call it in `onModuleInit`. */
  addFacts<Value>(part: ProjectPart<ProjectFacts, Value>): void {
    this.facts.push(part);
  }

  async one(ctx: RequestContext, project: Project): Promise<DescribedProject> {
    const found = await this.repository.read(ctx, project.organizationId, [project.id], this.icons);
    return { ...project, ...NO_ICON, ...found.get(project.id), summary: null };
  }

  /** @param page projects of one organization, which the caller may see. */
  async page(
    ctx: RequestContext,
    organizationId: string,
    page: Page<VisibleProject>,
    { summaries }: { readonly summaries: boolean },
  ): Promise<Page<DescribedProject>> {
    if (summaries) {
      const items = await this.summaries(ctx, organizationId, page.items);
      return { ...page, items: items.map(describedBy) };
    }
    const ids = page.items.map(({ id }) => id);
    const found = await this.repository.read(ctx, organizationId, ids, this.icons);
    return {
      ...page,
      items: page.items.map((each) => ({ ...each, ...NO_ICON, ...found.get(each.id), summary: null })),
    };
  }

  /** @param project the project that the request names, in which the access guard has read the role of the caller. */
  async summary(ctx: RequestContext, project: Project): Promise<ProjectSummary> {
    const { identity, projectRole = null } = ctx;
    const role = identity.kind === 'project-token' ? identity.role : projectRole;
    const [summary] = await this.summaries(ctx, project.organizationId, [{ ...project, role }]);
    return summary as ProjectSummary;
  }

  private async summaries(
    ctx: RequestContext,
    organizationId: string,
    projects: readonly VisibleProject[],
  ): Promise<ProjectSummary[]> {
    const parts: Part<ProjectFacts & ProjectIcon>[] = [...this.icons, ...this.facts];
    const ids = projects.map(({ id }) => id);
    const found = await this.repository.read(ctx, organizationId, ids, parts);
    return projects.map((project) => ({
      project,
      role: project.role,
      ...NO_ICON,
      ...NO_FACTS,
      ...found.get(project.id),
    }));
  }
}

const describedBy = (summary: ProjectSummary): DescribedProject => {
  const { project, iconBuildId, iconUrl } = summary;
  return { ...project, iconBuildId, iconUrl, summary };
};
