import MiniSearch, { type Query, type SearchResult } from 'minisearch';

/** The longest query. The rest of a longer one is ignored. */
const MAX_CHARACTERS = 100;
const MAX_WORDS = 8;
export const MAX_RESULTS = 20;
/** Shorter words match only themselves: too many words begin with them. */
const MIN_PREFIX = 3;
/** Shorter words must be spelled correctly. */
const MIN_FUZZY = 5;
const MAX_MISTAKES = 2;

/** A part of a page that contains the words of a query. */
export interface HelpResult {
  readonly address: string;
  /** The heading of the part, or the words that a row of a table explains. */
  readonly title: string;
  /** The title of the page. */
  readonly page: string;
  /** The beginning of the text. */
  readonly excerpt: string;
  /** The words of the documents that matched, in lower case. */
  readonly terms: readonly string[];
}

/** Finds parts of the documents, by the index that the build made. */
export class HelpSearch {
  private constructor(private readonly index: MiniSearch) {}

  /** Loads the index in small steps, between which other requests are handled. */
  static async load(index: string): Promise<HelpSearch> {
    const options = { fields: ['title', 'page', 'text'], storeFields: ['title', 'page', 'excerpt'] };
    return new HelpSearch(await MiniSearch.loadJSONAsync(index, options));
  }

  /** The best parts that contain every word of the query, else those that contain some. The work is bounded for every text. */
  find(query: string): readonly HelpResult[] {
    const words = wordsOf(query);
    const all = this.search({ combineWith: 'AND', queries: words });
    return all.length > 0 ? all : this.search({ combineWith: 'OR', queries: words });
  }

  private search(query: Query): readonly HelpResult[] {
    return this.index
      .search(query, {
        prefix: (word) => word.length >= MIN_PREFIX,
        fuzzy: (word) => (word.length >= MIN_FUZZY ? 0.2 : false),
        maxFuzzy: MAX_MISTAKES,
        boost: { title: 3, page: 1.5 },
        boostDocument: (address) => weightOf(String(address)),
      })
      .slice(0, MAX_RESULTS)
      .map(resultOf);
  }
}

/** The query as it is shown: without spaces around it, and not longer than what is searched. */
export const shownQuery = (query: unknown): string =>
  String(Array.isArray(query) ? query[0] : (query ?? ''))
    .slice(0, MAX_CHARACTERS)
    .trim();

const resultOf = ({ id, title, page, excerpt, terms }: SearchResult): HelpResult => ({
  address: String(id),
  title: String(title),
  page: String(page),
  excerpt: String(excerpt),
  terms,
});

const wordsOf = (query: string): string[] =>
  query
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS);

/** Guides come before lists of reference, in which every name has an entry, and reasons of design and measurements come last. */
const WEIGHTS: readonly (readonly [RegExp, number])[] = [
  [/^\/help\/(decisions|lab|changes|asvs)/, 0.3],
  [/^\/help\/(configuration|access|metrics|audit-events|account-export)/, 0.5],
];

const weightOf = (address: string): number => WEIGHTS.find(([pages]) => pages.test(address))?.[1] ?? 1;
