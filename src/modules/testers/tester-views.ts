import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { type ListName, type Page, type PageRequest } from '#kernel/cursor';
import { type AdoptionFilter, type AdoptionOf, type TesterAdoption } from './activity/adoption';
import { type Tester, type TesterActivity, type TesterState } from './tester';

export interface TesterFilter {
  /** The exact address, ignoring case. */
  readonly email?: string | undefined;
  /** Text contained in address or name, ignoring case. */
  readonly q?: string | undefined;
  /** Only subscribers of this channel. */
  readonly channelId?: string | undefined;
  readonly state?: TesterState | undefined;
  /** `true`: only testers who are behind. `false`: only the others. */
  readonly behind?: boolean | undefined;
  readonly adoption?: AdoptionFilter | undefined;
  /** Only testers who lack one of the current builds of their channels. */
  readonly hasNotCurrent?: boolean | undefined;
}

/** The name of the list of a project's testers, in its cursors. */
export const testersList = ({ projectId }: ProjectScope): ListName => `testers|${projectId}`;

/** Reads testers by their activity, which depends on downloads and releases. A read model implements it. */
export abstract class TesterViews {
  /**
   * One page of the testers that meet the filter, newest first. With a filter by text, state or adoption a page may have fewer testers than
   * its limit, although it is not the last: the search for more ends after ten thousand testers.
   * @throws AppError not_found for a filter by the adoption of a release or build that does not exist.
   */
  abstract list(
    ctx: RequestContext,
    scope: ProjectScope,
    filter: TesterFilter,
    request: PageRequest,
  ): Promise<Page<Tester>>;

  /** The activity of testers, keyed by their ids. */
  abstract activities(
    ctx: RequestContext,
    scope: ProjectScope,
    testerIds: readonly string[],
  ): Promise<ReadonlyMap<string, TesterActivity>>;

  /** What testers have, keyed by their ids. @param of the release or build whose steps are read, null for none. */
  abstract adoptions(
    ctx: RequestContext,
    scope: ProjectScope,
    testerIds: readonly string[],
    of: AdoptionOf | null,
  ): Promise<ReadonlyMap<string, TesterAdoption>>;
}
