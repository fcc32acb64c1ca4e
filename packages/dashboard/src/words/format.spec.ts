import {
  formatByteChange,
  formatBytes,
  formatDate,
  formatExactTime,
  formatList,
  formatMoney,
  formatNumber,
  formatPercent,
  formatPlural,
  formatRelativeTime,
  parseMoney,
  typedMoney,
} from './format';

const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ');

describe('formatBytes', () => {
  it.each([
    [0, '0 B', '0 B'],
    [512, '512 B', '512 B'],
    [999, '999 B', '999 B'],
    [1000, '1 kB', '1 kB'],
    [1234, '1.2 kB', '1,2 kB'],
    [9960, '10 kB', '10 kB'],
    [66_600, '67 kB', '67 kB'],
    [999_600, '1 MB', '1 MB'],
    [6_700_000, '6.7 MB', '6,7 MB'],
    [67_108_864, '67 MB', '67 MB'],
    [1_204_000_000, '1.2 GB', '1,2 GB'],
    [5_000_000_000_000, '5 TB', '5 TB'],
    [12_000_000_000_000_000, '12,000 TB', '12.000 TB'],
  ])('shows %d bytes as %s and %s', (bytes, english, german) => {
    expect([plain(formatBytes('en', bytes)), plain(formatBytes('de', bytes))]).toEqual([english, german]);
  });

  it('shows a change with its sign', () => {
    expect([1_000_000, -300_000, 0].map((bytes) => plain(formatByteChange('en', bytes)))).toEqual([
      '+1 MB',
      '−300 kB',
      '±0 B',
    ]);
  });
});

describe('formatMoney', () => {
  it.each([
    [0, '$0.00', '0,00 $'],
    [3_200_000, '$3.20', '3,20 $'],
    [1_234_567_891, '$1,234.57', '1.234,57 $'],
    [-1_180_000, '−$1.18', '−1,18 $'],
    [120, '< $0.01', '< 0,01 $'],
    [-4, '−$0.00…', '−0,00… $'],
    [5_000, '$0.01', '0,01 $'],
  ])('shows %d micro-dollars as %s and %s', (microDollars, english, german) => {
    expect([plain(formatMoney('en', microDollars)), plain(formatMoney('de', microDollars))]).toEqual([english, german]);
  });

  it('shows every micro-dollar when it must be exact', () => {
    expect(formatMoney('en', 3_200_001, { exact: true })).toBe('$3.200001');
    expect(formatMoney('en', 3_000_000, { exact: true })).toBe('$3.00');
  });

  it.each([
    ['12', 12_000_000],
    [' $12.50 ', 12_500_000],
    ['0,000120', 120],
    ['19.99', 19_990_000],
    ['', null],
    ['1.2345678', null],
    ['-3', null],
    ['1,000.00', null],
    // Whether it is a thousand or one depends on the reader.
    ['1,000', null],
    ['$12.500', null],
    ['0.125', 125_000],
    ['1000', 1_000_000_000],
    ['1234.567', 1_234_567_000],
  ])('reads %j as %j micro-dollars', (text, microDollars) => expect(parseMoney(text)).toBe(microDollars));

  it.each([
    [12_000_000, '12'],
    [12_500_000, '12.5'],
    [12_345_000, '12.3450'],
    [120, '0.00012'],
  ])('writes %d micro-dollars as %j into a field, which reads it as the same', (microDollars, text) => {
    expect(typedMoney(microDollars)).toBe(text);
    expect(parseMoney(text)).toBe(microDollars);
  });
});

describe('formatRelativeTime', () => {
  const now = new Date('2026-11-22T12:00:00Z');
  it.each([
    ['2026-11-22T12:00:20Z', 'now', 'jetzt'],
    ['2026-11-22T11:59:30Z', 'now', 'jetzt'],
    ['2026-11-22T11:59:10Z', '1 minute ago', 'vor 1 Minute'],
    ['2026-11-22T11:57:00Z', '3 minutes ago', 'vor 3 Minuten'],
    ['2026-11-22T11:00:01Z', '59 minutes ago', 'vor 59 Minuten'],
    ['2026-11-22T11:00:00Z', '1 hour ago', 'vor 1 Stunde'],
    ['2026-11-21T11:00:00Z', '1 day ago', 'vor 1 Tag'],
    ['2026-12-01T13:00:00Z', 'in 9 days', 'in 9 Tagen'],
    ['2026-09-22T12:00:00Z', '2 months ago', 'vor 2 Monaten'],
    ['2024-11-01T12:00:00Z', '2 years ago', 'vor 2 Jahren'],
  ])('shows %s as %s and %s', (time, english, german) => {
    const texts = (['en', 'de'] as const).map((language) => formatRelativeTime(language, new Date(time), now));
    expect(texts).toEqual([english, german]);
  });
});

describe('dates', () => {
  const time = new Date('2026-11-22T16:03:09Z');

  it('are exact with their zone', () => {
    expect(plain(formatExactTime('en', time, 'Europe/Berlin'))).toBe('22 November 2026 at 17:03:09 CET');
    expect(plain(formatExactTime('de', time, 'Europe/Berlin'))).toBe('22. November 2026 um 17:03:09 MEZ');
  });

  it('of the calendar do not depend on the zone', () => {
    expect(formatDate('en', '2026-12-09', 'day')).toBe('9 December');
    expect(formatDate('de', '2026-12-09')).toBe('9. Dezember 2026');
    expect(formatDate('en', '2026-11', 'month')).toBe('November 2026');
  });
});

describe('words with numbers', () => {
  it('have the form of the number', () => {
    const forms = { one: '# build', other: '# builds' };
    expect([0, 1, 50, 1204].map((count) => formatPlural('en', count, forms))).toEqual([
      '0 builds',
      '1 build',
      '50 builds',
      '1,204 builds',
    ]);
    expect(formatPlural('de', 1204, { one: '# Build', other: '# Builds' })).toBe('1.204 Builds');
  });

  it('are formatted in the language', () => {
    expect(formatNumber('de', 1234.5)).toBe('1.234,5');
    expect([formatPercent('en', 0.618), plain(formatPercent('de', 0.618))]).toEqual(['62%', '62 %']);
    expect(formatList('en', ['Beta', 'Store', 'Internal'])).toBe('Beta, Store and Internal');
  });
});
