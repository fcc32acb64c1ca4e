import { type LanguageCode } from './language';

/** English dates have the day before the month. */
const LOCALES: Record<LanguageCode, string> = { en: 'en-GB', de: 'de-DE' };

const cache = new Map<string, unknown>();

/** Intl objects are expensive to create. */
function cached<T>(kind: string, language: LanguageCode, options: object, make: (locale: string) => T): T {
  const key = `${kind} ${language} ${JSON.stringify(options)}`;
  if (!cache.has(key)) cache.set(key, make(LOCALES[language]));
  return cache.get(key) as T;
}

const numberFormat = (language: LanguageCode, options: Intl.NumberFormatOptions): Intl.NumberFormat =>
  cached('number', language, options, (locale) => new Intl.NumberFormat(locale, options));

const dateFormat = (language: LanguageCode, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  cached('date', language, options, (locale) => new Intl.DateTimeFormat(locale, options));

/** `1,204`, `1.204`. */
export function formatNumber(language: LanguageCode, value: number, options: Intl.NumberFormatOptions = {}): string {
  return numberFormat(language, options).format(value);
}

/** A part of 1 as a whole percentage: `62%`, `62 %`. */
export const formatPercent = (language: LanguageCode, part: number): string =>
  numberFormat(language, { style: 'percent', maximumFractionDigits: 0 }).format(part);

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Bytes in the largest unit of 1000 that keeps a number before the point, with one decimal below 10: `67 MB`, `6.7 MB`, `512 B`. */
export function formatBytes(language: LanguageCode, bytes: number): string {
  let value = Math.abs(bytes);
  let unit = 0;
  // 999.6 kB would round to 1000 kB.
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit > 0 && value < 9.95 ? 1 : 0;
  const text = numberFormat(language, { maximumFractionDigits: digits }).format(bytes < 0 ? -value : value);
  return `${text}\u00a0${UNITS[unit]}`;
}

/** A change of size with its sign: `+1 MB`, `−300 kB`. */
export function formatByteChange(language: LanguageCode, bytes: number): string {
  const sign = bytes > 0 ? '+' : bytes < 0 ? '−' : '±';
  return sign + formatBytes(language, Math.abs(bytes));
}

const MICRO = 1_000_000;
const CENT = MICRO / 100;

export interface MoneyOptions {
  /** Prices are shown to the micro-dollar, sums to the cent. */
  readonly exact?: boolean;
}

/** Micro-dollars: `$1.18`, `−1,18 $`. A sum that is not 0 but rounds to it is `< $0.01`, or `−$0.00…`, because `−<` looks like an arrow. */
export function formatMoney(
  language: LanguageCode,
  microDollars: number,
  { exact = false }: MoneyOptions = {},
): string {
  const isTiny = !exact && microDollars !== 0 && Math.abs(microDollars) < CENT / 2;
  const isNegative = microDollars < 0;
  const text = numberFormat(language, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: 2,
    maximumFractionDigits: exact ? 6 : 2,
  }).format((isTiny && !isNegative ? CENT : Math.abs(microDollars)) / MICRO);
  if (isTiny) return isNegative ? `−${text.replace(/\d.\d+/, '$&…')}` : `<\u00a0${text}`;
  return isNegative ? `−${text}` : text;
}

/** `1,000` and `1.000`: one in one language, a thousand in another. */
const AMBIGUOUS = /^\D*[1-9]\d{0,2}[.,]\d{3}\D*$/;

/** Micro-dollars from a typed sum: `12`, `12.50`, `12,50`. Null when it is not a sum with at most six decimals, or is ambiguous. */
export function parseMoney(text: string): number | null {
  const match = /^\s*\$?\s*(\d{1,9})(?:[.,](\d{1,6}))?\s*\$?\s*$/.exec(text);
  if (!match || AMBIGUOUS.test(text)) return null;
  return Number(match[1]) * MICRO + Number((match[2] ?? '').padEnd(6, '0'));
}

/** A sum in the form that `parseMoney` reads: `12.5`. */
export function typedMoney(microDollars: number): string {
  const text = String(microDollars / MICRO);
  return AMBIGUOUS.test(text) ? `${text}0` : text;
}

const SECOND = 1000;
const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number, number])[] = [
  // The unit, its length, and the first difference that is too large for it.
  ['minute', 60 * SECOND, 60 * 60 * SECOND],
  ['hour', 3600 * SECOND, 24 * 3600 * SECOND],
  ['day', 24 * 3600 * SECOND, 30 * 24 * 3600 * SECOND],
  ['month', 30 * 24 * 3600 * SECOND, 365 * 24 * 3600 * SECOND],
  ['year', 365 * 24 * 3600 * SECOND, Infinity],
];
/** If the browser's clock is slightly slow, a time must not appear to be in the future. */
const SKEW = 45 * SECOND;

/** `3 minutes ago`, `in 9 days`, `now`. */
export function formatRelativeTime(language: LanguageCode, time: Date, now: Date): string {
  const difference = time.getTime() - now.getTime();
  const format = cached('relative', language, {}, (locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));
  if (Math.abs(difference) < SKEW) return format.format(0, 'second');
  const size = Math.max(Math.abs(difference), 60 * SECOND);
  const [unit, length] = STEPS.find(([, , end]) => size < end) ?? ['year', 365 * 24 * 3600 * SECOND];
  const count = Math.max(1, Math.floor(size / length));
  // "yesterday" would be wrong for a time 25 hours ago on the day before yesterday.
  const plain = cached('relative always', language, {}, (locale) => new Intl.RelativeTimeFormat(locale));
  return plain.format(difference < 0 ? -count : count, unit);
}

/** The date, the time to the second and the zone: `22 November 2026 at 17:03:09 CET`. */
export const formatExactTime = (language: LanguageCode, time: Date, timeZone?: string): string =>
  dateFormat(language, { dateStyle: 'long', timeStyle: 'long', timeZone }).format(time);

/** The date and time to the minute: `22 Nov 2026, 17:03`. */
export const formatDateTime = (language: LanguageCode, time: Date, timeZone?: string): string =>
  dateFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(time);

/** The time of day to the second: `17:03:09`. */
export const formatTimeOfDay = (language: LanguageCode, time: Date, timeZone?: string): string =>
  dateFormat(language, { timeStyle: 'medium', timeZone }).format(time);

/** The parts of a date that are shown: `22 November 2026`, `22 Nov 2026`, `22 November`, `November 2026`. */
export type DateShape = 'long' | 'short' | 'day' | 'month';

const SHAPES: Record<DateShape, Intl.DateTimeFormatOptions> = {
  long: { day: 'numeric', month: 'long', year: 'numeric' },
  short: { day: 'numeric', month: 'short', year: 'numeric' },
  day: { day: 'numeric', month: 'long' },
  month: { month: 'long', year: 'numeric' },
};

/** A date. A text is a day (`2026-11-22`) or a month (`2026-11`) of the calendar, independent of time zones. */
export function formatDate(language: LanguageCode, date: Date | string, shape: DateShape = 'long'): string {
  if (typeof date !== 'string') return dateFormat(language, SHAPES[shape]).format(date);
  const [year = 1970, month = 1, day = 1] = date.slice(0, 10).split('-').map(Number);
  return dateFormat(language, { ...SHAPES[shape], timeZone: 'UTC' }).format(new Date(Date.UTC(year, month - 1, day)));
}

/** A rounded duration: `20 seconds`, `3 minutes`, `2 hours`. */
export function formatDuration(language: LanguageCode, seconds: number): string {
  const [unit, count] =
    seconds < 55
      ? ['second', Math.max(5, Math.ceil(seconds / 5) * 5)]
      : seconds < 3600
        ? ['minute', Math.ceil(seconds / 60)]
        : ['hour', Math.ceil(seconds / 3600)];
  return formatNumber(language, Number(count), { style: 'unit', unit: String(unit), unitDisplay: 'long' });
}

/** The forms of a word by number; `#` stands for the number. */
export type PluralForms = { readonly other: string } & Partial<Readonly<Record<Intl.LDMLPluralRule, string>>>;

/** `1 build`, `50 builds`, from `{ one: '# build', other: '# builds' }`. */
export function formatPlural(language: LanguageCode, count: number, forms: PluralForms): string {
  const rules = cached('plural', language, {}, (locale) => new Intl.PluralRules(locale));
  return (forms[rules.select(count)] ?? forms.other).replaceAll('#', formatNumber(language, count));
}

const MARKS: Readonly<Record<LanguageCode, readonly [string, string]>> = { en: ['“', '”'], de: ['„', '“'] };

/** `“Read” and “Billing”`: names that are words of the language, in a sentence. */
export function formatQuoted(language: LanguageCode, names: readonly string[]): string {
  const [before, after] = MARKS[language];
  return formatList(
    language,
    names.map((name) => before + name + after),
  );
}

/** `Beta, Store and Internal`. */
export const formatList = (language: LanguageCode, items: readonly string[]): string =>
  cached('list', language, {}, (locale) => new Intl.ListFormat(locale, { type: 'conjunction' })).format(items);
