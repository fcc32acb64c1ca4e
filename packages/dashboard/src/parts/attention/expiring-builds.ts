import { type ProjectSummaryResponse } from '@agate/client';

/** The number of days before its signing expires from which a build is listed. */
const SOON_DAYS = 30;
const DAY_MS = 86_400_000;

export interface ExpiringBuild {
  readonly id: string;
  readonly version: string;
  readonly build_number: string | null;
  /** The number of days that are left, rounded up; 0 when the signing has expired. */
  readonly days: number;
}

type Signed = Pick<ProjectSummaryResponse, 'latest' | 'current'>;

/** Builds that testers get now or next and that devices will soon stop launching, the first to expire first. */
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
