import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { type Page, type PageRequest } from '#kernel/cursor';
import { Hook } from '#kernel/hook';
import { type BuildWithUrl } from '../build';
import { BuildLinksService } from '../build-links.service';
import { type BuildFilter } from './build-filter';
import { type BuildFacets, BuildListRepository } from './build-list.repository';

/** Lists and counts the builds of a project. */
@Injectable()
export class BuildListService {
  /** Returns the ids of the builds that were promoted to a channel. The releases module knows them. */
  readonly promotedTo = new Hook<[RequestContext, ProjectScope, channelId: string], readonly string[]>();

  constructor(
    private readonly repository: BuildListRepository,
    private readonly links: BuildLinksService,
  ) {}

  /**
   * One page of the builds that meet the filter, newest first. With a condition on warnings or installability a page may have fewer
   * builds than its limit, although it is not the last: the search for more ends after some thousand builds.
   */
  async list(
    ctx: RequestContext,
    scope: ProjectScope,
    filter: BuildFilter,
    request: PageRequest,
  ): Promise<Page<BuildWithUrl>> {
    const { channelId } = filter;
    const ids = channelId === undefined ? null : (await this.promotedTo.run(ctx, scope, channelId)).flat();
    const page = await this.repository.list(ctx, scope, { ...filter, ids }, request);
    return { ...page, items: await this.links.addTo(ctx, page.items) };
  }

  /** The values that filters can have, with the number of builds of each. */
  facets(ctx: RequestContext, scope: ProjectScope): Promise<BuildFacets> {
    return this.repository.facets(ctx, scope);
  }
}
