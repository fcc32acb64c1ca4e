import { de } from './messages.de';
import { en, type Messages } from './messages.en';

export type { Messages };

/** The languages of the pages. Each has a table in `messages.<tag>.ts` and an entry here. The first is the fallback. */
const TABLES = { en, de } satisfies Record<string, Messages>;

export type Locale = keyof typeof TABLES;
export const LOCALES = Object.keys(TABLES) as readonly Locale[];

export const messagesFor = (locale: Locale): Messages => TABLES[locale];

/** The language of a `?lang=` parameter, null when it names no language of the pages. */
export const chosenLocale = (choice: unknown): Locale | null => LOCALES.find((locale) => locale === choice) ?? null;

/**
 * The best language for an `Accept-Language` header (RFC 9110, section 12.5.4, lookup by RFC 4647, section 3.4): the highest weight wins,
 * then the order of the header; `de-CH` matches `de`. An invalid header selects the first language.
 */
export function pickLocale<L extends string = Locale>(
  header: string | undefined,
  available: readonly L[] = LOCALES as readonly string[] as readonly L[],
): L {
  const ranges = (header ?? '')
    .slice(0, 1000)
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith('q='));
      return { tag, weight: quality === undefined ? 1 : Number(quality.slice(2)) };
    });
  const wanted = ranges
    .filter(({ tag, weight }) => tag !== '' && weight > 0 && weight <= 1)
    .sort((a, b) => b.weight - a.weight);
  const acceptable = available.filter((locale) => !ranges.some(({ tag, weight }) => tag === locale && weight === 0));
  for (const { tag } of wanted) {
    const found = available.find((locale) => tag === locale || tag.startsWith(`${locale}-`));
    if (found) return found;
    if (tag === '*') break;
  }
  return acceptable[0] ?? (available[0] as L);
}
