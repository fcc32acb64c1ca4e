import { isMonth, monthsBetween } from './months';

describe('the months of usage', () => {
  it('go from the current month back to the first', () => {
    expect(monthsBetween('2025-11', '2026-02')).toEqual(['2026-02', '2026-01', '2025-12', '2025-11']);
    expect(monthsBetween('2026-02', '2026-02')).toEqual(['2026-02']);
  });

  it('cover at most two years, and at least one month', () => {
    expect(monthsBetween('2000-01', '2026-02')).toHaveLength(24);
    expect(monthsBetween('2026-03', '2026-02')).toEqual(['2026-02']);
  });

  it('are written with two digits', () => {
    expect(['2026-02', '2026-2', '2026-13', undefined].map(isMonth)).toEqual([true, false, false, false]);
  });
});
