import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Eta } from 'eta/core';
import { HELP_ROUTE, type HelpFiles } from './help-files';
import { byPage } from './help-results';
import { HelpSearch, MAX_RESULTS } from './help-search';

const read = (name: string): string => readFileSync(join(__dirname, 'templates', `${name}.eta`), 'utf8');

/** The texts of the pages below. The documents are in English, so these pages are, too. */
const TEXTS = {
  title: 'Search',
  missing: 'This page does not exist',
  missingText: 'This version has no such document. Search for it, or choose one from the list.',
  empty: 'Enter a word, an error code, a variable or a command.',
  none: (query: string) => `Nothing contains “${query}”.`,
  found: (count: number, query: string) =>
    count === MAX_RESULTS ? `The best ${count} places for “${query}”` : `Places for “${query}”: ${count}`,
};

/** Renders the pages that depend on the request, in the layout of the documents. */
export class HelpPages {
  private readonly eta = new Eta({ rmWhitespace: true });
  private readonly layout = this.eta.compile(read('layout'));
  private readonly results = this.eta.compile(read('search'));
  /** Only searches need the index, so it is loaded for the first one. */
  private search: Promise<HelpSearch> | undefined;

  constructor(private readonly files: HelpFiles) {}

  /** The results of a search, as a page. */
  async found(query: string): Promise<string> {
    this.search ??= HelpSearch.load(this.files.index.toString());
    const results = (await this.search).find(query);
    const counted = results.length === 0 ? TEXTS.none(query) : TEXTS.found(results.length, query);
    return this.page(TEXTS.title, query, { status: query === '' ? TEXTS.empty : counted, pages: byPage(results) });
  }

  /** The page for an address that no document has. */
  missing(): string {
    return this.page(TEXTS.missing, '', { status: TEXTS.missingText, pages: [] });
  }

  private page(title: string, query: string, content: object): string {
    const { layout, pages } = this.files;
    const trail = pages.has(HELP_ROUTE) ? [{ address: HELP_ROUTE, label: layout.texts['help'] }] : [];
    const body = this.eta.render(this.results, content);
    const view = { ...layout, title, query, trail, body, address: '', language: 'en', contents: [] };
    return this.eta.render(this.layout, view);
  }
}
