import { lengthMs, type Period } from './period';

/** Bytes in a metered megabyte. */
export const BYTES_PER_MB = 1_000_000n;

/** The meters: stored artifacts, uploads and downloads. */
export const METERS = ['storage', 'upload', 'download'] as const;
export type Meter = (typeof METERS)[number];

/** Micro-dollars per MB transferred, and per MB stored for a whole period. */
export type Prices = Readonly<Record<Meter, bigint>>;

/**
 * The cost of `quantity` at `priceMicroUsd` per `unit`, rounded up to whole micro-dollars. This is the only place where money is
 * rounded (docs/decisions/0013-money-and-meters.md). The cost of a whole is never higher than the sum of the costs of its parts.
 */
export function priceOf(quantity: bigint, unit: bigint, priceMicroUsd: bigint): bigint {
  return (quantity * priceMicroUsd + unit - 1n) / unit;
}

/** The cost of a transfer. */
export const transferCharge = (sizeBytes: bigint, priceMicroUsd: bigint): bigint =>
  priceOf(sizeBytes, BYTES_PER_MB, priceMicroUsd);

/** The cost of storage within a period. @param byteMs bytes times the milliseconds that they were stored. */
export const storageCharge = (byteMs: bigint, period: Period, priceMicroUsd: bigint): bigint =>
  priceOf(byteMs, BYTES_PER_MB * lengthMs(period), priceMicroUsd);

/** The part of a period's fee for the time between two instants of the period. */
export const feeBetween = (from: Date, to: Date, period: Period, feeMicroUsd: bigint): bigint =>
  priceOf(lengthMs({ start: from, end: to }), lengthMs(period), feeMicroUsd);

const DECIMALS = 1_000_000_000n;

/** A metered quantity in MB, or in another `unit` such as `mbMonthOf`, to nine decimals. For display only. */
export const inMegabytes = (quantity: bigint, unit: bigint = BYTES_PER_MB): number =>
  Number((quantity * DECIMALS + unit / 2n) / unit) / Number(DECIMALS);

/** Bytes times milliseconds in one MB-month of a period. */
export const mbMonthOf = (period: Period): bigint => BYTES_PER_MB * lengthMs(period);

/** Micro-dollars in a dollar. */
export const MICRO_USD = 1_000_000n;
const MAX_DECIMALS = 6;

/** A sum in dollars for display, for example `12.30`: at least two decimals, truncated to `decimals`. */
export function inDollars(microUsd: bigint, decimals = 2): string {
  const shown = microUsd - (microUsd % 10n ** BigInt(MAX_DECIMALS - decimals));
  const size = shown < 0n ? -shown : shown;
  const fraction = String(size % MICRO_USD).padStart(MAX_DECIMALS, '0');
  return `${shown < 0n ? '-' : ''}${size / MICRO_USD}.${fraction.replace(/0{1,4}$/, '')}`;
}

/** The percentages of the budget at which alerts are sent by default. */
export const DEFAULT_ALERT_PERCENTS: readonly number[] = [50, 80, 90, 100];

/** The highest percentage of the budget that the used amount has reached. Null when there is none, no budget or no use. */
export function reachedPercent(
  usedMicroUsd: bigint,
  budgetMicroUsd: bigint | null,
  percents: readonly number[],
): number | null {
  if (budgetMicroUsd === null || usedMicroUsd <= 0n) return null;
  const reached = percents.filter((percent) => usedMicroUsd * 100n >= budgetMicroUsd * BigInt(percent));
  return reached.length > 0 ? Math.max(...reached) : null;
}
