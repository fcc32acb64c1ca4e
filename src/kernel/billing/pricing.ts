import { lengthMs, type Period } from './period';

/** Bytes of a metered megabyte (contract §1). */
export const BYTES_PER_MB = 1_000_000n;

/** What is metered: what is kept, and what goes in and out. */
export const METERS = ['storage', 'upload', 'download'] as const;
export type Meter = (typeof METERS)[number];

/** Micro-dollars per MB that is transferred, and per MB that is kept for a whole period. */
export type Prices = Readonly<Record<Meter, bigint>>;

/**
 * The one place where money is rounded: what `quantity` costs at `priceMicroUsd` for each `unit`, up to the next whole
 * micro-dollar. Never less than its exact value, never a whole micro-dollar more, and the whole is never dearer than its parts.
 * Decision 13.
 */
export function priceOf(quantity: bigint, unit: bigint, priceMicroUsd: bigint): bigint {
  return (quantity * priceMicroUsd + unit - 1n) / unit;
}

/** What the transfer of so many bytes costs. */
export const transferCharge = (sizeBytes: bigint, priceMicroUsd: bigint): bigint =>
  priceOf(sizeBytes, BYTES_PER_MB, priceMicroUsd);

/** What has been kept within a period costs: bytes times the milliseconds that each was there. */
export const storageCharge = (byteMs: bigint, period: Period, priceMicroUsd: bigint): bigint =>
  priceOf(byteMs, BYTES_PER_MB * lengthMs(period), priceMicroUsd);

/** The part of a period's fee that falls between two instants of the period. */
export const feeBetween = (from: Date, to: Date, period: Period, feeMicroUsd: bigint): bigint =>
  priceOf(lengthMs({ start: from, end: to }), lengthMs(period), feeMicroUsd);

const DECIMALS = 1_000_000_000n;

/** A metered quantity as people read it: in MB, or MB-months when `unit` says so, to nine decimals. For display only. */
export const inMegabytes = (quantity: bigint, unit: bigint = BYTES_PER_MB): number =>
  Number((quantity * DECIMALS + unit / 2n) / unit) / Number(DECIMALS);

/** Milliseconds times bytes of one MB-month of a period. */
export const mbMonthOf = (period: Period): bigint => BYTES_PER_MB * lengthMs(period);

/** Micro-dollars of a dollar, and how many decimals that makes. */
export const MICRO_USD = 1_000_000n;
const MAX_DECIMALS = 6;

/** A sum as people read it, `12.30`: at least cents, and cut to so many decimals. */
export function inDollars(microUsd: bigint, decimals = 2): string {
  const shown = microUsd - (microUsd % 10n ** BigInt(MAX_DECIMALS - decimals));
  const size = shown < 0n ? -shown : shown;
  const fraction = String(size % MICRO_USD).padStart(MAX_DECIMALS, '0');
  return `${shown < 0n ? '-' : ''}${size / MICRO_USD}.${fraction.replace(/0{1,4}$/, '')}`;
}
