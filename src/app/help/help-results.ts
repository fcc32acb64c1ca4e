import { type HelpResult } from './help-search';

/** A piece of a text, marked when it is one of the words that were searched for. */
export interface Piece {
  readonly text: string;
  readonly isMarked: boolean;
}

/** The results of one page of the documents. */
export interface PageOfResults {
  readonly page: string;
  readonly results: readonly {
    readonly address: string;
    readonly title: readonly Piece[];
    readonly excerpt: readonly Piece[];
  }[];
}

/** The results below the titles of their pages, the page of the best result first. */
export function byPage(results: readonly HelpResult[]): readonly PageOfResults[] {
  const pages = new Map<string, PageOfResults['results'][number][]>();
  for (const { address, title, page, excerpt, terms } of results) {
    const shown = { address, title: marked(title, terms), excerpt: marked(excerpt, terms) };
    pages.set(page, [...(pages.get(page) ?? []), shown]);
  }
  return [...pages].map(([page, ofPage]) => ({ page, results: ofPage }));
}

/** The words of a text, and what is between them, so that joined they are the text again. */
function marked(text: string, terms: readonly string[]): readonly Piece[] {
  const known = new Set(terms);
  return text
    .split(/([\p{L}\p{N}]+)/u)
    .filter((piece) => piece !== '')
    .map((piece) => ({ text: piece, isMarked: known.has(piece.toLowerCase()) }));
}
