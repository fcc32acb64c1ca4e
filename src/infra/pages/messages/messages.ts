import { de } from './messages.de';
import { en, type Messages } from './messages.en';

export type { Messages };

/** Every language pages speak: a table in `messages.<tag>.ts` and its line here. The first is the fallback. */
const TABLES = { en, de } satisfies Record<string, Messages>;

export type Locale = keyof typeof TABLES;
export const LOCALES = Object.keys(TABLES) as readonly Locale[];

export const messagesFor = (locale: Locale): Messages => TABLES[locale];

/** The language that a reader has chosen on a page, `?lang=`; null for anything that is none of ours. */
export const chosenLocale = (choice: unknown): Locale | null => LOCALES.find((locale) => locale === choice) ?? null;

/**
 * The best language for an `Accept-Language` header (RFC 9110 §12.5.4, matched by lookup, RFC 4647 §3.4): the highest
 * weight wins, then the order given; `de-CH` finds `de`. Anything unreadable falls back to the first.
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
  const welcome = available.filter((locale) => !ranges.some(({ tag, weight }) => tag === locale && weight === 0));
  for (const { tag } of wanted) {
    const found = available.find((locale) => tag === locale || tag.startsWith(`${locale}-`));
    if (found) return found;
    if (tag === '*') break;
  }
  return welcome[0] ?? (available[0] as L);
}
