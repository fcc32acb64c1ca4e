import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Eta } from 'eta/core';
import { type Messages } from '../messages/messages';
import { type PageAssets } from '../page-assets';

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

/** Where a page is seen, as far as its links need to know. */
export interface PagePlace {
  /** Adds to the path of another page what the reader has chosen on this one. */
  readonly keep: (path: string) => string;
  /** This page in the other languages. */
  readonly languages: readonly { readonly tag: string; readonly name: string; readonly href: string }[];
}

const NOWHERE: PagePlace = { keep: (path) => path, languages: [] };

declare const viewOf: unique symbol;

/** A template file, and the type of what it shows. */
export interface PageTemplate<V extends PageView> {
  readonly file: string;
  /** The templates beside it that it includes as `@<name>`. */
  readonly partials: readonly string[];
  readonly [viewOf]?: V;
}

/** Names the template `<name>.eta` beside the calling code: `pageTemplate<View>(__dirname, 'install-page')`. */
export const pageTemplate = <V extends PageView>(
  directory: string,
  name: string,
  partials: readonly string[] = [],
): PageTemplate<V> => ({
  file: join(directory, `${name}.eta`),
  partials: partials.map((partial) => join(directory, `${partial}.eta`)),
});

/**
 * Server-rendered pages: one layout around one template. Every `<%= value %>` is escaped for text and quoted attributes;
 * the raw tag is left to the layout's body and to partials, which a test keeps so.
 */
export class PageRenderer {
  private readonly eta = new Eta({ rmWhitespace: true });
  private readonly compiled = new Map<string, ReturnType<Eta['compile']>>();

  constructor(private readonly assets: PageAssets) {
    for (const partial of ['layout', 'glyph', 'captcha']) this.load(join(__dirname, `${partial}.eta`));
  }

  /** The whole document. A template is read and compiled at its first use, then kept. */
  render<V extends PageView>(template: PageTemplate<V>, view: V, place: PagePlace = NOWHERE): string {
    template.partials.forEach((partial) => this.load(partial));
    const shown = { ...view, ...place, assets: this.assets };
    const body = this.eta.render(this.compile(template.file), shown);
    return this.eta.render('@layout', { ...shown, body });
  }

  private load(file: string): void {
    if (!this.compiled.has(file)) this.eta.loadTemplate(`@${basename(file, '.eta')}`, this.compile(file));
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
