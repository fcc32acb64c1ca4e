import { LOCALES, messagesFor, pickLocale } from './messages';

describe('pickLocale', () => {
  const available = ['en', 'de', 'pt-br'] as const;

  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['de', 'de'],
    ['de-CH', 'de'],
    ['DE-ch, en;q=0.9', 'de'],
    ['en;q=0.8, de;q=0.9', 'de'],
    ['en;q=0.8, de;q=0.8', 'en'],
    ['fr-CH, fr;q=0.9, de;q=0.5, *;q=0.1', 'de'],
    ['pt-BR', 'pt-br'],
    ['pt', 'en'],
    ['*', 'en'],
    ['*, de;q=0.5', 'en'],
    ['de;q=0, en;q=0.1', 'en'],
    ['de;q=nonsense', 'en'],
    ['den', 'en'],
    ['en;q=0, *', 'de'],
    ['*;q=0.5, en;q=0', 'de'],
    [';;;,,,q=;', 'en'],
  ])('chooses, for Accept-Language: %s, the language %s', (header, expected) => {
    expect(pickLocale(header, available)).toBe(expected);
  });

  it('handles a very long header', () => {
    expect(pickLocale('x,'.repeat(100_000), available)).toBe('en');
  });
});

describe('the tables of messages', () => {
  const leaves = (table: unknown, path = ''): [string, unknown][] =>
    typeof table === 'object' && table !== null
      ? Object.entries(table).flatMap(([key, value]) => leaves(value, `${path}.${key}`))
      : [[path, table]];

  it.each(LOCALES)('contain plain text for every message in %s', (locale) => {
    for (const [path, value] of leaves(messagesFor(locale))) {
      const text = typeof value === 'function' ? String((value as (...words: string[]) => string)('1', '2')) : value;
      expect([path, text]).toEqual([path, expect.stringMatching(/^[^<>]+$/)]);
    }
  });

  // red when: a text is missing, missing in a list, or not translated
  it.each(LOCALES)('contain a translation of every message in %s', (locale) => {
    const own = leaves(messagesFor(locale));
    const first = leaves(messagesFor(LOCALES[0]!));
    expect(own.map(([path]) => path)).toEqual(first.map(([path]) => path));
    if (locale === LOCALES[0]) return;
    const same = own.filter(([path, value], at) => value === first[at]?.[1] && !NAMES.test(path));
    expect(same).toEqual([]);
  });
  /** Product names are not translated. */
  const NAMES = /^\.install\.(systems|inApp\.(safari|chrome))/;

  it.each(LOCALES)('contain a language tag that Intl supports in %s', (locale) => {
    expect(Intl.DateTimeFormat.supportedLocalesOf([messagesFor(locale).languageTag])).toHaveLength(1);
  });
});
