import { type BillingAccountResponse } from '@agate/client';

/** The page warns when the credit lasts fewer days than this. */
const SOON_DAYS = 14;
const DAY_MS = 86_400_000;

/**
 * The number of days that the remaining amount lasts at this month's rate; null when it lasts longer than two weeks, or when nothing limits
 * it.
 */
export function daysLeft(account: BillingAccountResponse, now: Date): number | null {
  const { available_micro_usd: available, spent_micro_usd: spent, metered, period } = account;
  if (available === null || !metered) return null;
  if (available <= 0) return 0;
  const elapsed = Math.max((now.getTime() - Date.parse(`${period}-01T00:00:00Z`)) / DAY_MS, 1);
  const days = Math.floor(available / (spent / elapsed));
  return days < SOON_DAYS ? days : null;
}
