import { type RequestContext } from '#kernel/context/request-context';

/** The largest count of a link. Counting ends there, so that a list of links costs a bounded number of rows. */
export const MAX_LINK_COUNT = 10_000;

/** The downloads through a link, and the testers who proved their address at it. */
export interface LinkCounts {
  readonly downloads: number;
  readonly testers: number;
}

export const NO_COUNTS: LinkCounts = { downloads: 0, testers: 0 };

/** Counts the downloads through links. A read model implements it. */
export abstract class LinkCountViews {
  /** The counts of links by their ids. A link without downloads is absent. */
  abstract count(ctx: RequestContext, linkIds: readonly string[]): Promise<ReadonlyMap<string, LinkCounts>>;
}
