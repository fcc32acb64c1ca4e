import { Injectable } from '@nestjs/common';
import { digestOf, isLinkToken } from '#kernel/access/token-format';
import { type RequestContext } from '#kernel/context/request-context';
import { type Fragment, FragmentCache, PAGE_CACHE_BYTES } from '#infra/fragments/fragment-cache';
import { HtmlPage, RenderedPage } from '#infra/pages/rendering/html-page';
import { type PageNavigation, PageRenderer } from '#infra/pages/rendering/page-renderer';
import { LinkGatePages } from '../gate/link-gate-pages';
import { InstallService, type PageReader } from '../install.service';
import { deadLink, LinkResolverService } from '../link-resolver.service';
import { type LinkPath, splitGrant } from './link-addresses';
import { PageVersions } from './page-versions';

/** A longer query does not come from the page itself, so its page is not cached. */
const MAX_CACHED_QUERY = 100;

/** A request for a page. Besides it, the page depends only on the stored rows and the time. */
export interface PageRequest extends PageReader {
  /** The query of the address, without the question mark. */
  readonly query: string;
  /** The language links that follow from the query and the reader's language. */
  readonly navigation: () => PageNavigation;
}

/**
 * The pages of install links. Caches the page of a build's link until its link, its build or its project changes, until a warning changes,
 * and until the end of the day, because it says how many days ago the build was uploaded (docs/decisions/0053-versioned-fragments.md).
 */
@Injectable()
export class InstallPagesService {
  readonly fragments = new FragmentCache<Fragment>(PAGE_CACHE_BYTES);

  constructor(
    private readonly install: InstallService,
    private readonly versions: PageVersions,
    private readonly renderer: PageRenderer,
    private readonly links: LinkResolverService,
    private readonly gates: LinkGatePages,
  ) {}

  /** The page of a link, or of one of its builds. @throws AppError not_found */
  async page(ctx: RequestContext, path: LinkPath, request: PageRequest): Promise<HtmlPage | RenderedPage> {
    const digest = digestOf(path.token);
    const isOfAnyDevice = Object.keys(request.deviceCookies).length === 0;
    const mayBeCached =
      path.buildId === null && isLinkToken(path.token) && request.query.length <= MAX_CACHED_QUERY && isOfAnyDevice;
    const version = mayBeCached ? await this.versions.findOfBuildLink(ctx, digest) : null;
    if (version === null) return this.pageOrGate(ctx, path, request);
    const { device, messages, query } = request;
    const key = JSON.stringify([digest.toString('base64'), device, messages.languageTag, query]);
    const cached = this.fragments.get(ctx, key, version);
    if (cached) return new RenderedPage(cached.pieces.join(''));
    const { page, validity } = await this.install.page(ctx, path, request);
    const html = this.renderer.render(page.template, page.view, request.navigation());
    this.fragments.set(ctx, key, { version, ...validity, pieces: [html] });
    return new RenderedPage(html);
  }

  /**
   * The page of a link or, before a link with rules opens, that of what the visitor must do. A build then has no page. With a grant that is
   * not valid, for example after half an hour, the visitor begins again at the link.
   */
  private async pageOrGate(ctx: RequestContext, path: LinkPath, request: PageRequest): Promise<HtmlPage> {
    const visit = await this.links.findVisit(ctx, path.token);
    if (visit && !('step' in visit)) return (await this.install.pageOf(ctx, path, request, visit)).page;
    if (path.buildId !== null) throw deadLink();
    if (visit) return this.gates.page(ctx, path.token, visit, request.messages);
    const { token } = splitGrant(path.token);
    const first = await this.links.findVisit(ctx, token);
    if (!first || !('step' in first)) throw deadLink();
    return this.gates.page(ctx, token, first, request.messages, { hasInvalidGrant: true });
  }
}
