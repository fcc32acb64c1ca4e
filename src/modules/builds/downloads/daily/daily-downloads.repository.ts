import { Injectable } from '@nestjs/common';
import { type DeviceFamily } from '#kernel/builds/device';
import { type Platform } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { isLive } from '../../catalogue/live-builds';

interface DownloadCounts {
  readonly downloads: number;
  /** Distinct testers. Anonymous downloads count none. */
  readonly testers: number;
}

export interface DayOfDownloads extends DownloadCounts {
  /** UTC, as `2026-11-20`. */
  readonly day: string;
  readonly byDevice: readonly { readonly deviceFamily: DeviceFamily; readonly downloads: number }[];
  readonly byPlatform: readonly { readonly platform: Platform; readonly downloads: number }[];
}

/** The downloads from `from` to `to`, both included. The counts are those of the whole range. */
export interface DailyDownloads extends DownloadCounts {
  readonly from: string;
  readonly to: string;
  /** Every day of the range, in order. */
  readonly days: readonly DayOfDownloads[];
}

/** Days in UTC, both included. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
export const MAX_DAYS = 366;

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The range of a request. Without `to` it ends today, without `from` it has 30 days. Null when it is empty or too long. */
export function dayRangeOf({ from, to }: Partial<DayRange>, now: Date): DayRange | null {
  const last = to ?? dayOf(now.getTime());
  const first = from ?? dayOf(Date.parse(last) - (DEFAULT_DAYS - 1) * DAY_MS);
  const length = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
  return length >= 1 && length <= MAX_DAYS ? { from: first, to: last } : null;
}

/** Every day of a range, in order. */
export function daysOf({ from, to }: DayRange): readonly string[] {
  const length = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  return Array.from({ length }, (_, index) => dayOf(Date.parse(from) + index * DAY_MS));
}

export interface DownloadFilter {
  readonly buildId?: string | undefined;
  readonly channelId?: string | undefined;
}

/** One group: all downloads without a day, those of a day, or those of a day and of either a kind of device or a platform. */
interface DownloadGroup extends DownloadCounts {
  readonly day: string | null;
  readonly deviceFamily: DeviceFamily | null;
  readonly platform: Platform | null;
}

@Injectable()
export class DailyDownloadsRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Counts the downloads of a range of days, largest groups first. Groups without downloads are missing. */
  count(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    { from, to }: DayRange,
    { buildId, channelId }: DownloadFilter,
  ): Promise<readonly DownloadGroup[]> {
    return rows<DownloadGroup>(
      this.transactions.manager(ctx),
      `WITH download AS (
         SELECT (d.started_at AT TIME ZONE 'UTC')::date::text AS day, d.device_family, b.platform, d.tester_id
         FROM build_download d JOIN build b ON b.id = d.build_id AND ${isLive('b')}
         WHERE d.organization_id = $1 AND d.project_id = $2
           AND d.started_at >= $3::date::timestamp AT TIME ZONE 'UTC'
           AND d.started_at < ($4::date + 1)::timestamp AT TIME ZONE 'UTC'
           AND ($5::uuid IS NULL OR d.build_id = $5) AND ($6::uuid IS NULL OR d.channel_id = $6)
       )
       SELECT day, device_family AS "deviceFamily", platform,
              count(*)::int AS downloads, count(DISTINCT tester_id)::int AS testers
       FROM download GROUP BY GROUPING SETS ((), (day), (day, device_family), (day, platform))
       ORDER BY downloads DESC, device_family, platform`,
      [organizationId, projectId, from, to, buildId ?? null, channelId ?? null],
    );
  }
}
