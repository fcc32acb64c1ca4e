import { type ProjectSummaryResponse } from '@agate/client';
import { expiringBuilds } from './expiring-builds';

const NOW = new Date('2026-11-22T12:00:00Z');
const build = (id: string, signing_expires_at: string | null) => ({
  id,
  version: '2.1.0',
  build_number: '210',
  signing_expires_at,
});
const summary = (latest: ReturnType<typeof build>[], current: ReturnType<typeof build>[] = []) =>
  ({
    latest: latest.map((one) => ({ platform: 'ios', build: one })),
    current: current.map(({ id, ...one }) => ({ ...one, build_id: id })),
  }) as unknown as ProjectSummaryResponse;
const daysOf = (of: ProjectSummaryResponse): unknown[] => expiringBuilds(of, NOW).map(({ id, days }) => [id, days]);

describe('the builds whose signing expires soon', () => {
  it('are the builds within 30 days, the first to expire first', () => {
    const latest = [build('late', '2026-12-22T12:00:01Z'), build('soon', '2026-12-22T12:00:00Z'), build('none', null)];
    const current = [build('first', '2026-11-22T13:00:00Z'), build('over', '2025-01-01T00:00:00Z')];
    expect(daysOf(summary(latest, current))).toEqual([
      ['over', 0],
      ['first', 1],
      ['soon', 30],
    ]);
  });

  it('are listed once when a build is the newest and current in several channels', () => {
    const one = build('one', '2026-11-30T12:00:00Z');
    expect(daysOf(summary([one], [one, one]))).toEqual([['one', 8]]);
  });
});
