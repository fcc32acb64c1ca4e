import { type RequestContext } from '#kernel/context/request-context';

/** Reads the versions of pages. A read model implements it. */
export abstract class PageVersions {
  /**
   * The version of everything that the page of a build's link shows: the transactions that wrote the rows, and their places, which no two
   * versions share; and the name of the uploader, whose row changes more often. `null` when no build has a link with this digest, and for a link with
   * rules, whose page depends on more than rows.
   */
  abstract findOfBuildLink(ctx: RequestContext, digest: Buffer): Promise<string | null>;
}
