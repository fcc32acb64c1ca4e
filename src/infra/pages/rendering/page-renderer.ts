import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Eta } from 'eta/core';
import { type Request, type Response } from 'express';
import { type Messages } from '../messages/messages';
import { type PageAssets } from '../page-assets';
import { contactOf, LOGO_PATH, type PageBrand } from '../page-brand';

/** The data that the layout needs. The view of each page extends it. */
export interface PageView {
  readonly messages: Messages;
  /** The title of the document and of link previews, as plain text. */
  readonly title: string;
  /** One sentence for link previews. */
  readonly description?: string;
  /** The organization that the page comes from. Absent on pages of the service. */
  readonly brand?: PageBrand;
  /** Whether the page loads `page.browser.js`. Every page also works without it. */
  readonly enhanced?: boolean;
  /** A captcha challenge as JSON, which `captcha.browser.js` solves for the page's form. */
  readonly challenge?: string;
}

/** The language links of a page. */
export interface PageNavigation {
  /** Adds the language that the reader chose to the path of another page. */
  readonly withLanguage: (path: string) => string;
  /** Links to this page in the other languages. */
  readonly languages: readonly { readonly tag: string; readonly name: string; readonly href: string }[];
}

const NO_NAVIGATION: PageNavigation = { withLanguage: (path) => path, languages: [] };

declare const viewOf: unique symbol;

/** A template file and the type of its view. */
export interface PageTemplate<V extends PageView> {
  readonly file: string;
  /** The templates that it includes as `@<name>`. */
  readonly partials: readonly string[];
  readonly [viewOf]?: V;
}

/** The template `<name>.eta` of a directory: `pageTemplate<View>(__dirname, 'captcha-page')`. */
export const pageTemplate = <V extends PageView>(
  directory: string,
  name: string,
  partials: readonly string[] = [],
): PageTemplate<V> => ({
  file: join(directory, `${name}.eta`),
  partials: partials.map((partial) => join(directory, `${partial}.eta`)),
});

/**
 * Renders pages: one layout around one template. `<%= value %>` escapes for text and quoted attributes. A test allows the raw tag `<%~`
 * only for the layout's body and for partials.
 */
export class PageRenderer {
  /** Whether the dashboard is served, so that pages show their links into it. */
  hasDashboard = false;
  /** Sends the dashboard for an unknown path to a reader with a session. Returns false for other readers. */
  sendsUnknown: (request: Request, response: Response) => boolean = () => false;
  private readonly eta = new Eta({ rmWhitespace: true });
  private readonly compiled = new Map<string, ReturnType<Eta['compile']>>();

  constructor(private readonly assets: PageAssets) {
    for (const partial of ['layout', 'glyph', 'captcha']) this.load(join(__dirname, `${partial}.eta`));
  }

  /** Renders the whole document. Templates are compiled on first use and cached. */
  render<V extends PageView>(template: PageTemplate<V>, view: V, navigation: PageNavigation = NO_NAVIGATION): string {
    template.partials.forEach((partial) => this.load(partial));
    const { assets, hasDashboard } = this;
    const data = { ...view, ...navigation, assets, hasDashboard, brand: view.brand && brandView(view.brand) };
    const body = this.eta.render(this.compile(template.file), data);
    return this.eta.render('@layout', { ...data, body });
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

/** A brand as the layout shows it. Without a logo, the name is not shown again: the page names the organization. */
const brandView = ({ logo, contact, privacyUrl, ...brand }: PageBrand): object => ({
  ...brand,
  logo: logo && { src: `${LOGO_PATH}/${logo.key}`, width: logo.width, height: logo.height },
  contact: contact === null ? null : contactOf(contact),
  privacyUrl,
});
