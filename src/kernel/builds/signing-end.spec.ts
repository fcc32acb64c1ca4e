import { ANNOUNCED_DAYS, endsToAnnounce, nearSigningEnd, signingEndOf } from './signing-end';

const PROFILE = '2026-12-01T10:00:00.000Z';
const CERTIFICATE = '2026-11-30T10:00:00.000Z';
const DAY_MS = 86_400_000;

describe('the end of a signature', () => {
  const endOf = (expiresAt: string | null, certificateExpiresAt: string | null) =>
    signingEndOf({ platform: 'ios', expiresAt, certificateExpiresAt });

  it.each([
    [PROFILE, null, { what: 'profile', at: new Date(PROFILE) }],
    [null, CERTIFICATE, { what: 'certificate', at: new Date(CERTIFICATE) }],
    [PROFILE, CERTIFICATE, { what: 'certificate', at: new Date(CERTIFICATE) }],
    [CERTIFICATE, PROFILE, { what: 'profile', at: new Date(CERTIFICATE) }],
    // red when: the certificate wins: managers would renew a certificate although the profile, which contains it, must be renewed anyway
    [PROFILE, PROFILE, { what: 'profile', at: new Date(PROFILE) }],
    [null, null, null],
  ])('of a profile until %s and a certificate until %s is %j', (profile, certificate, expected) => {
    expect(endOf(profile, certificate)).toEqual(expected);
  });

  it('is null for a package for Android', () => {
    expect(signingEndOf({ platform: 'android' })).toBeNull();
    expect(signingEndOf(null)).toBeNull();
  });
});

describe('an end that is near', () => {
  const at = new Date('2028-03-01T00:00:00.000Z');
  const daysLeft = (now: string): number | undefined =>
    nearSigningEnd({ what: 'profile', at }, new Date(now))?.daysLeft;

  it.each([
    ['2028-01-01T00:00:00.000Z', 60],
    // 2028 has a 29 February.
    ['2028-02-29T00:00:00.000Z', 1],
    ['2028-02-28T00:00:00.000Z', 2],
    ['2028-02-28T00:00:00.001Z', 2],
    ['2028-02-27T23:59:59.999Z', 3],
    ['2028-02-29T23:59:59.999Z', 1],
    ['2028-03-01T00:00:00.000Z', 0],
    ['2029-03-01T00:00:00.000Z', 0],
  ])('at %s has %i days left', (now, days) => {
    expect(daysLeft(now)).toBe(days);
  });

  it('is null more than 60 days before', () => {
    expect(daysLeft('2027-12-31T23:59:59.999Z')).toBeUndefined();
  });
});

describe('the ends to announce', () => {
  /** The days left at each announcement when the schedule runs at the given times. */
  const announced = (at: Date, runs: readonly Date[]): (number | undefined)[] =>
    runs.slice(1).flatMap((now, n) => {
      const ranges = endsToAnnounce(runs[n]!, now);
      const end = at.toISOString();
      return ranges.some(({ after, through }) => end > after && end <= through)
        ? [nearSigningEnd({ what: 'profile', at }, now)?.daysLeft]
        : [];
    });
  const start = Date.parse('2028-01-15T05:50:00.000Z');
  const daily = (days: number, skipped: (day: number) => boolean = () => false): Date[] =>
    Array.from({ length: days }, (_, n) => n)
      .filter((n) => !skipped(n))
      .map((n) => new Date(start + n * DAY_MS));

  // red when: a range includes both of its ends, or neither
  it.each([0, 1, 12 * 3_600_000, DAY_MS - 1])(
    'are each number of days once, and the end once, %i ms after a run',
    (offset) => {
      const at = new Date(start + 70 * DAY_MS + offset);
      const expected = [...ANNOUNCED_DAYS, 0];
      expect(announced(at, daily(90))).toEqual(expected);
    },
  );

  // red when: each range is announced by itself: three mails about one profile on one day
  it('are one when the service was off for weeks: the nearest', () => {
    const at = new Date(start + 70 * DAY_MS);
    expect(
      announced(
        at,
        daily(90, (n) => n > 5 && n < 66),
      ),
    ).toEqual([4, 1, 0]);
    expect(
      announced(
        at,
        daily(90, (n) => n > 5 && n < 80),
      ),
    ).toEqual([0]);
  });

  it('are none when the clock was set back', () => {
    expect(announced(new Date(start), [new Date(start + DAY_MS), new Date(start - DAY_MS)])).toEqual([]);
  });
});
