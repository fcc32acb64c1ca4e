import { daysOf, isMonth, monthsBetween } from './months';

describe('the months of usage', () => {
  it('go from the current month back to the first', () => {
    expect(monthsBetween('2025-11', '2026-02')).toEqual(['2026-02', '2026-01', '2025-12', '2025-11']);
    expect(monthsBetween('2026-02', '2026-02')).toEqual(['2026-02']);
  });

  it('cover at most two years, and at least one month', () => {
    expect(monthsBetween('2000-01', '2026-02')).toHaveLength(24);
    expect(monthsBetween('2026-03', '2026-02')).toEqual(['2026-02']);
  });

  it('have their own number of days', () => {
    expect(daysOf('2026-11').at(-1)).toBe('2026-11-30');
    expect(daysOf('2028-02').at(-1)).toBe('2028-02-29');
    expect(daysOf('2026-12')).toHaveLength(31);
  });

  it('are written with two digits', () => {
    expect(['2026-02', '2026-2', '2026-13', undefined].map(isMonth)).toEqual([true, false, false, false]);
  });
});
