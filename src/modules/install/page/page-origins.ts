import { type Owner } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { type PageBrand } from '#infra/pages/page-brand';
import { type ReachableBuild } from '../link-resolver.service';

/** The names behind a page, which tell its reader whom the app comes from. */
export interface PageOrigin {
  readonly brand: PageBrand;
  /** The names of developers by id. Without those who gave none: an address of a person is not for the holders of a link. */
  readonly people: ReadonlyMap<string, string>;
}

/** Reads the names behind pages. A read model implements it. */
export abstract class PageOrigins {
  abstract find(ctx: RequestContext, organizationId: string, developerIds: readonly string[]): Promise<PageOrigin>;

  /** The names behind builds of one organization. */
  ofBuilds(
    ctx: RequestContext,
    organizationId: string,
    builds: readonly Pick<ReachableBuild, 'by'>[],
  ): Promise<PageOrigin> {
    return this.find(ctx, organizationId, [...new Set(builds.flatMap(({ by }) => developerIdOf(by) ?? []))]);
  }
}

const developerIdOf = ({ kind, id }: Owner): string | null => (kind === 'developer' ? id : null);
