import { utcDate, utcTime } from './utc-date';

const TIME = new Date('2026-11-25T23:05:59.999Z');

describe('dates for readers whose zone is unknown', () => {
  // red when: English dates are American
  it.each([
    ['en', '25 November 2026', '25 November 2026, 23:05 UTC'],
    ['de', '25. November 2026', '25. November 2026, 23:05 UTC'],
  ])('name their zone in the language %s', (language, date, time) => {
    expect(utcDate(TIME, language)).toBe(date);
    expect(utcTime(TIME, language)).toBe(time);
  });
});
