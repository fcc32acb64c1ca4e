import { type PageTemplate, type PageView } from './page-renderer';

/** The return value of a route that shows a page. `PageInterceptor` renders it, so the controller must use that interceptor. */
export class HtmlPage<V extends PageView = PageView> {
  constructor(
    readonly template: PageTemplate<V>,
    readonly view: V,
    readonly status = 200,
    /** Origins that may show the page in a frame. By default no origin may. */
    readonly framedBy: readonly string[] = [],
  ) {}

  /** Fails the request of a route that lacks the interceptor, or stores the page before it is rendered. */
  toJSON(): never {
    throw new TypeError('The page was not rendered: add @UseInterceptors(PageInterceptor).');
  }
}

/** A page that was rendered earlier. `PageInterceptor` sends it with the headers of pages that no origin may frame. */
export class RenderedPage {
  constructor(readonly html: string) {}
}

/** Allows no inline script or style and no other origin, so that injected markup runs nothing. */
const PAGE_CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
].join('; ');

/**
 * The headers of every page. A page's path may contain a credential, so the page sends no referrer and is not indexed, cached or framed.
 * @param framedBy origins that may frame the page. `X-Frame-Options` cannot name origins, so it is left out when there are some.
 */
export function pageHeaders(framedBy: readonly string[] = []): Record<string, string> {
  const ancestors = framedBy.length > 0 ? framedBy.join(' ') : "'none'";
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `${PAGE_CONTENT_SECURITY_POLICY}; frame-ancestors ${ancestors}`,
    ...(framedBy.length === 0 && { 'X-Frame-Options': 'DENY' }),
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex, nofollow',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    Vary: 'Accept-Language, User-Agent',
  };
}
