import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { type Page, type PageRequest } from '#kernel/cursor';
import { AppError } from '#kernel/errors/app-error';
import { Hook } from '#kernel/hook';
import { type BuildWithUrl } from '../build';
import { BuildLinksService } from '../build-links.service';
import { type BuildFilter, type LatestFilter } from './build-filter';
import { type BuildFacets, BuildListRepository } from './build-list.repository';

/** Lists and counts the builds of a project. */
@Injectable()
export class BuildListService {
  /** Returns the ids of the builds that were promoted to a channel. The releases module knows them. */
  readonly promotedTo = new Hook<[RequestContext, ProjectScope, channelId: string], readonly string[]>();

  /** Returns the ids of the builds that are current in a channel, the one that was promoted last first. The releases module knows them. */
  readonly currentIn = new Hook<[RequestContext, ProjectScope, channelId: string], readonly string[]>();

  constructor(
    private readonly repository: BuildListRepository,
    private readonly links: BuildLinksService,
  ) {}

  /**
   * One page of the ids of the builds that meet the filter, newest first. With a condition on warnings or installability a page may have
   * fewer ids than its limit, although it is not the last: the search for more ends after some thousand builds.
   */
  async select(
    ctx: RequestContext,
    scope: ProjectScope,
    filter: BuildFilter,
    request: PageRequest,
  ): Promise<Page<string>> {
    const { channelId } = filter;
    const ids = channelId === undefined ? null : (await this.promotedTo.run(ctx, scope, channelId)).flat();
    return this.repository.select(ctx, scope, { ...filter, ids }, request);
  }

  /**
   * The newest build that meets the filter. With a channel: the current build of the channel, or, when several platforms have one, the
   * build that was promoted last. Null when there is none.
   */
  async findLatest(ctx: RequestContext, scope: ProjectScope, filter: LatestFilter): Promise<BuildWithUrl | null> {
    const { channelId } = filter;
    const ids = channelId === undefined ? null : (await this.currentIn.run(ctx, scope, channelId)).flat();
    const build = await this.repository.findLatest(ctx, scope, { ...filter, ids });
    return (build && (await this.links.addTo(ctx, [build]))[0]) ?? null;
  }

  /** Like `findLatest`. @throws AppError not_found when there is none. */
  async latest(ctx: RequestContext, scope: ProjectScope, filter: LatestFilter): Promise<BuildWithUrl> {
    const build = await this.findLatest(ctx, scope, filter);
    if (!build) throw AppError.notFound('build');
    return build;
  }

  /** The values that filters can have, with the number of builds of each. */
  facets(ctx: RequestContext, scope: ProjectScope): Promise<BuildFacets> {
    return this.repository.facets(ctx, scope);
  }
}
