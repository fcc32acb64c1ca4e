import { type RequestContext } from '#kernel/context/request-context';
import { type Page, type PageRequest } from '#kernel/cursor';
import { type Project } from '../project';
import { type DescribedProject, type ProjectSummary } from './project-facts';

export interface ProjectFilter {
  /** Text found in the name. Case is ignored. */
  readonly q?: string | undefined;
  /** The app whose builds the project accepts on a platform. */
  readonly bundleId?: string | undefined;
}

/** Reads the data of other modules about projects, as responses show it. A read model implements it. */
export abstract class ProjectViews {
  /** Adds the icon. */
  abstract one(ctx: RequestContext, project: Project): Promise<DescribedProject>;

  /**
   * The projects in which the calling developer has a role, own or implied by the organization, with their icons.
   * @param filter with `summaries`, each project has its summary.
   */
  abstract list(
    ctx: RequestContext,
    organizationId: string,
    filter: ProjectFilter & { readonly summaries: boolean },
    request: PageRequest,
  ): Promise<Page<DescribedProject>>;

  /** @param project the project that the request names, in which the access guard has read the role of the caller. */
  abstract summary(ctx: RequestContext, project: Project): Promise<ProjectSummary>;
}
