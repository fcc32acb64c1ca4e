import { daysAgo, sizeOf } from './format';

describe('sizeOf', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [999, '999 bytes'],
    [1000, '1 kB'],
    [48_213_004, '48.2 MB'],
    [2_000_000_000, '2 GB'],
    [2_345_678_901_234, '2,345.7 GB'],
  ])('formats %d bytes as %s', (bytes, expected) => {
    expect(sizeOf(bytes, 'en')).toBe(expected);
  });

  it('formats in the language of the page', () => {
    expect(sizeOf(48_213_004, 'de')).toBe('48,2 MB');
  });
});

describe('daysAgo', () => {
  const now = new Date('2026-11-20T00:05:00Z');
  it.each([
    ['2026-11-20T00:01:00Z', 'today'],
    ['2026-11-19T23:59:00Z', 'yesterday'],
    ['2026-11-17T12:00:00Z', '3 days ago'],
    ['2026-09-15T12:00:00Z', '2 months ago'],
    ['2024-11-01T12:00:00Z', '2 years ago'],
    ['2026-11-21T12:00:00Z', 'today'],
  ])('formats %s as %s', (date, expected) => {
    expect(daysAgo(new Date(date), now, 'en')).toBe(expected);
  });
});
