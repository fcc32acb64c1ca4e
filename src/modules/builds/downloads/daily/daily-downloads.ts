import { type DeviceFamily } from '#kernel/builds/device';
import { type Platform } from '#kernel/builds/platform';

export interface DownloadCounts {
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
