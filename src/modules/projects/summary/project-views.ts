import { type RequestContext } from '#kernel/context/request-context';
import { type Page } from '#kernel/cursor';
import { type Project } from '../project';
import { type DescribedProject, type ProjectSummary, type VisibleProject } from './project-facts';

/** Reads the data of other modules about projects, as responses show it. A read model implements it. */
export abstract class ProjectViews {
  /** Adds the icon. */
  abstract one(ctx: RequestContext, project: Project): Promise<DescribedProject>;

  /** Adds icons, and summaries on request. @param page projects of one organization, which the caller may see. */
  abstract page(
    ctx: RequestContext,
    organizationId: string,
    page: Page<VisibleProject>,
    include: { readonly summaries: boolean },
  ): Promise<Page<DescribedProject>>;

  /** @param project the project that the request names, in which the access guard has read the role of the caller. */
  abstract summary(ctx: RequestContext, project: Project): Promise<ProjectSummary>;
}
