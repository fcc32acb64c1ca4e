import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Eta } from 'eta/core';
import { type Messages } from './messages';
import { type PageAssets } from './page-assets';

/** What every page tells the layout. A page's own view extends it. */
export interface PageView {
  readonly messages: Messages;
  /** The document's title and the link preview's, plain text. */
  readonly title: string;
  /** One sentence for link previews. */
  readonly description?: string;
  /** Whether the page has something for `page.browser.js` to improve. Everything works without it. */
  readonly enhanced?: boolean;
  /** A captcha that `captcha.browser.js` has to solve for the page's form, as JSON. */
  readonly challenge?: string;
}

declare const viewOf: unique symbol;

/** A template file, and the type of what it shows. */
export interface PageTemplate<V extends PageView> {
  readonly file: string;
  readonly [viewOf]?: V;
}

/** Names the template `<name>.eta` beside the calling code: `pageTemplate<View>(__dirname, 'install-page')`. */
export const pageTemplate = <V extends PageView>(directory: string, name: string): PageTemplate<V> => ({
  file: join(directory, `${name}.eta`),
});

/**
 * Server-rendered pages: one layout around one template. Every `<%= value %>` is escaped for text and quoted attributes;
 * the raw tag is left to the layout's body and to partials, which a test keeps so.
 */
export class PageRenderer {
  private readonly eta = new Eta({ rmWhitespace: true });
  private readonly compiled = new Map<string, ReturnType<Eta['compile']>>();

  constructor(private readonly assets: PageAssets) {
    for (const partial of ['layout', 'glyph', 'captcha']) {
      this.eta.loadTemplate(`@${partial}`, this.compile(join(__dirname, `${partial}.eta`)));
    }
  }

  /** The whole document. A template is read and compiled at its first use, then kept. */
  render<V extends PageView>(template: PageTemplate<V>, view: V): string {
    const body = this.eta.render(this.compile(template.file), view);
    return this.eta.render('@layout', { ...view, assets: this.assets, body });
  }

  private compile(file: string): ReturnType<Eta['compile']> {
    let template = this.compiled.get(file);
    if (!template) {
      template = this.eta.compile(readFileSync(file, 'utf8'));
      this.compiled.set(file, template);
    }
    return template;
  }
}
