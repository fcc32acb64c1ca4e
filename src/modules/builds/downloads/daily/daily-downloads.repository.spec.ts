import { dayRangeOf, daysOf } from './daily-downloads.repository';

const NOW = new Date('2026-03-02T23:59:59Z');

describe('the range of days', () => {
  it('is the last 30 days by default, across months', () => {
    expect(dayRangeOf({}, NOW)).toEqual({ from: '2026-02-01', to: '2026-03-02' });
    expect(dayRangeOf({ to: '2024-03-01' }, NOW)).toEqual({ from: '2024-02-01', to: '2024-03-01' });
  });

  it('is null when it is empty or too long', () => {
    expect(dayRangeOf({ from: '2026-03-03' }, NOW)).toBeNull();
    expect(dayRangeOf({ from: '2025-03-02', to: '2026-03-02' }, NOW)).not.toBeNull();
    expect(dayRangeOf({ from: '2025-03-01', to: '2026-03-02' }, NOW)).toBeNull();
  });

  it('has every day once', () => {
    expect(daysOf({ from: '2026-02-27', to: '2026-03-01' })).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
    expect(daysOf({ from: '2026-03-01', to: '2026-03-01' })).toEqual(['2026-03-01']);
  });
});
