import { type ProjectSummaryResponse } from '@agate/client';

/** From this many days before the signing of a build expires, a person should renew it. */
const SOON_DAYS = 30;
const DAY_MS = 86_400_000;

export interface ExpiringBuild {
  readonly id: string;
  readonly version: string;
  readonly build_number: string | null;
  /** How many days are left, rounded up; 0 when the signing has expired. */
  readonly days: number;
}

type Signed = Pick<ProjectSummaryResponse, 'latest' | 'current'>;

/** The builds that testers get now, or get next, and that devices stop launching soon: the first to expire first. */
export function expiringBuilds({ latest, current }: Signed, now: Date): readonly ExpiringBuild[] {
  const builds = [
    ...latest.map(({ build }) => build),
    ...current.map((build) => ({ ...build, id: build.build_id })),
  ].flatMap(({ id, version, build_number, signing_expires_at: at }) =>
    at === null
      ? []
      : [{ id, version, build_number, days: Math.max(0, Math.ceil((Date.parse(at) - now.getTime()) / DAY_MS)) }],
  );
  const soon = builds.filter(({ days }) => days <= SOON_DAYS).sort((one, other) => one.days - other.days);
  return [...new Map(soon.map((build) => [build.id, build])).values()];
}
