import { type PageTemplate, type PageView } from './page-renderer';

/** What a route returns to show a page. `PageInterceptor` renders it. */
export class HtmlPage<V extends PageView = PageView> {
  constructor(
    readonly template: PageTemplate<V>,
    readonly view: V,
    readonly status = 200,
    /** Origins that may show the page in a frame. By default no origin may. */
    readonly framedBy: readonly string[] = [],
  ) {}
}

/** A page that was rendered before. `PageInterceptor` sends it with the headers of pages that no origin may frame. */
export class RenderedPage {
  constructor(readonly html: string) {}
}
