import { type PageTemplate, type PageView } from './page-renderer';

/** What a route answers when it shows a page: which template, with what, under which status. */
export class HtmlPage<V extends PageView = PageView> {
  constructor(
    readonly template: PageTemplate<V>,
    readonly view: V,
    readonly status = 200,
    /** Origins whose pages may show it in a frame; every other page is framed by nobody. */
    readonly framedBy: readonly string[] = [],
  ) {}
}
