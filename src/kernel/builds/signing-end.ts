const DAY_MS = 86_400_000;

/** The parts of a signature that end. Part of the API. */
export const SIGNING_PARTS = ['profile', 'certificate'] as const;
export type SigningPart = (typeof SIGNING_PARTS)[number];

/** The numbers of days before an end at which it is announced, the first of them first. */
export const ANNOUNCED_DAYS = [60, 30, 15, 7, 1] as const;

/** The times in the metadata of an artifact, as dates or as stored text. */
interface SigningTimes {
  readonly platform: string;
  readonly expiresAt?: Date | string | null;
  readonly certificateExpiresAt?: Date | string | null;
}

/** When devices stop launching an app, and why. */
export interface SigningEnd {
  /** The part that ends first. The profile, when both end at the same time. */
  readonly what: SigningPart;
  readonly at: Date;
}

/** An end that has come, or is announced. */
export interface NearSigningEnd extends SigningEnd {
  /** Rounded up to whole days of 24 hours. 0 when it has come. */
  readonly daysLeft: number;
}

/** A range of times: later than `after`, at `through` at the latest. In the format of `Date.toISOString`. */
export interface TimeRange {
  readonly after: string;
  readonly through: string;
}

/** The end of a provisioning profile or signing certificate, whichever is first. Null without one, as for Android. */
export function signingEndOf(signing: SigningTimes | null | undefined): SigningEnd | null {
  const profile = timeOf(signing?.expiresAt);
  const certificate = timeOf(signing?.certificateExpiresAt);
  if (profile && (!certificate || profile <= certificate)) return { what: 'profile', at: profile };
  return certificate && { what: 'certificate', at: certificate };
}

/** An end that has come or comes within the first of `ANNOUNCED_DAYS`. Null for a later one. */
export function nearSigningEnd(end: SigningEnd | null, now: Date): NearSigningEnd | null {
  if (!end) return null;
  const daysLeft = Math.max(0, Math.ceil((end.at.getTime() - now.getTime()) / DAY_MS));
  return daysLeft <= ANNOUNCED_DAYS[0] ? { ...end, daysLeft } : null;
}

/** The ends that are to be announced at `now` when all before `announcedUntil` were: those that have come, or crossed a number of days. */
export const endsToAnnounce = (announcedUntil: Date, now: Date): readonly TimeRange[] =>
  [...ANNOUNCED_DAYS, 0].map((days) => ({ after: plus(announcedUntil, days), through: plus(now, days) }));

const plus = (time: Date, days: number): string => new Date(time.getTime() + days * DAY_MS).toISOString();

const timeOf = (time: Date | string | null | undefined): Date | null => (time ? new Date(time) : null);
