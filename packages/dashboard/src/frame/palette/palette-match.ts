import { type PaletteItem } from '../../ui';

/** An item that is also found by words that it does not show. */
export interface FindableItem extends PaletteItem {
  /** Other names for it, in every language of the dashboard. */
  readonly keywords?: string;
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[\s·(),/]+/)
    .filter(Boolean);

/** From this number of typed letters on, gaps between them are allowed. */
const FUZZY_FROM = 3;

/** Whether the letters of a part occur in a word in this order, beginning with its first letter: "bld" in "builds". */
function hasLetters(word: string, part: string): boolean {
  if (part.length < FUZZY_FROM || word[0] !== part[0]) return false;
  let at = 0;
  for (const letter of word) if (letter === part[at]) at += 1;
  return at === part.length;
}

/** How well a word is what was typed: it is that, begins so, or contains it. 0 when it is another word. */
function likeness(word: string, part: string): number {
  if (word.startsWith(part)) return word === part ? 4 : 3;
  return part.length >= FUZZY_FROM && word.includes(part) ? 2 : 0;
}

const best = (words: readonly string[], part: string): number =>
  Math.max(0, ...words.map((word) => likeness(word, part)));

/**
 * How well an item matches what was typed, 0 when it does not: its name counts more than other words, and the first word most. Only words of
 * the name may lack letters: among many words, some have the letters by chance.
 */
export function scoreOf({ label, detail = '', keywords = '' }: FindableItem, query: string): number {
  const shown = wordsOf(label);
  const others = wordsOf(`${detail} ${keywords}`);
  let sum = 0;
  for (const part of wordsOf(query)) {
    const score =
      Math.max(3 * best(shown, part), 2 * best(others, part)) || Number(shown.some((word) => hasLetters(word, part)));
    if (score === 0) return 0;
    sum += score + (shown[0]?.startsWith(part) === true ? 1 : 0);
  }
  return sum;
}

/** The items, the best match first. */
export const ranked = (items: readonly FindableItem[], query: string): readonly FindableItem[] =>
  [...items].sort((one, other) => scoreOf(other, query) - scoreOf(one, query));

/** The items that match, the best first. All of them when nothing was typed. */
export function matching(items: readonly FindableItem[], query: string): readonly FindableItem[] {
  if (query.trim() === '') return items;
  return ranked(
    items.filter((item) => scoreOf(item, query) > 0),
    query,
  );
}
