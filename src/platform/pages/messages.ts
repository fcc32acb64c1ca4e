import { en, type Messages } from './messages.en';

export type { Messages };

/** Every language pages speak: a table in `messages.<tag>.ts` and its line here. The first is the fallback. */
const TABLES = { en } satisfies Record<string, Messages>;

export type Locale = keyof typeof TABLES;
export const LOCALES = Object.keys(TABLES) as readonly Locale[];

export const messagesFor = (locale: Locale): Messages => TABLES[locale];

/**
 * The best language for an `Accept-Language` header (RFC 9110 §12.5.4, matched by lookup, RFC 4647 §3.4): the highest
 * weight wins, then the order given; `de-CH` finds `de`. Anything unreadable falls back to the first.
 */
export function pickLocale<L extends string = Locale>(
  header: string | undefined,
  available: readonly L[] = LOCALES as readonly string[] as readonly L[],
): L {
  const wanted = (header ?? '')
    .slice(0, 1000)
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith('q='));
      return { tag, weight: quality === undefined ? 1 : Number(quality.slice(2)) };
    })
    .filter(({ tag, weight }) => tag !== '' && weight > 0 && weight <= 1)
    .sort((a, b) => b.weight - a.weight);
  for (const { tag } of wanted) {
    const found = available.find((locale) => tag === locale || tag.startsWith(`${locale}-`));
    if (found) return found;
    if (tag === '*') break;
  }
  return available[0] as L;
}
