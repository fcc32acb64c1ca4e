import { type PaletteItem } from '../../ui';

const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** The items in whose labels or details each word of the query begins a word. All items when the query is empty. */
export function matching(items: readonly PaletteItem[], query: string): readonly PaletteItem[] {
  const wanted = wordsOf(query);
  return items.filter(({ label, detail = '' }) => {
    const words = wordsOf(`${label} ${detail}`);
    return wanted.every((part) => words.some((word) => word.startsWith(part)));
  });
}
