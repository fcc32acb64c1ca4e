import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { type Page, type PageRequest } from '#kernel/cursor';
import { type JsonBytes } from '#infra/fragments/json-bytes';
import { type BuildChannel, type BuildWithDetails, type ShownBuild } from '../build';
import { type BuildFilter } from '../list/build-filter';

/** Reads builds as responses show them: with links, the names of their uploaders, and channels. A read model implements it. */
export abstract class BuildViews {
  /**
   * One page of the builds that meet the filter, newest first, each the JSON of a `BuildResponse` as the caller may see it. With a
   * condition on warnings or installability a page may have fewer builds than its limit, although it is not the last. A build that is
   * deleted after the page was selected is missing in it.
   */
  abstract page(
    ctx: RequestContext,
    scope: ProjectScope,
    filter: BuildFilter,
    request: PageRequest,
  ): Promise<Page<JsonBytes>>;

  /** Also reads the details of the artifact, which lists do not have. @throws AppError not_found */
  abstract get(ctx: RequestContext, scope: ProjectScope, id: string): Promise<ShownBuild>;

  /** The build that a request has just made. A token knows its own name, so nothing is read if the build is in no channel. */
  abstract ofNew(
    ctx: RequestContext,
    build: BuildWithDetails,
    made: { readonly isPromoted: boolean },
  ): Promise<ShownBuild>;

  /** The channels that each build was promoted to. Missing ids are skipped. */
  abstract channelsOf(
    ctx: RequestContext,
    scope: ProjectScope,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, readonly BuildChannel[]>>;
}
