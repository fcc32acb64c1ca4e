import { type Meter } from '#kernel/billing/pricing';

/** The kinds of ledger entries. */
export const LEDGER_KINDS = [
  'trial_credit',
  'top_up',
  'grant',
  'plan_fee',
  'usage_storage',
  'usage_upload',
  'usage_download',
] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];

export const usageKind = (meter: Meter): `usage_${Meter}` => `usage_${meter}`;

/** An entry to be booked. */
export interface EntryDraft {
  readonly kind: LedgerKind;
  /** Negative for a charge. */
  readonly amountMicroUsd: bigint;
  /** Identifies the effect: a second entry with this kind and reference is not booked. */
  readonly reference: string;
  /** For usage only: the metered quantity, in bytes, or for storage in bytes times milliseconds. */
  readonly quantity?: bigint;
  /** Default: the current period. */
  readonly period?: string;
}

/** A booked entry, which never changes. */
export interface LedgerEntry {
  readonly id: string;
  readonly kind: LedgerKind;
  readonly amountMicroUsd: bigint;
  /** Null when the entry is not usage. */
  readonly quantity: bigint | null;
  readonly period: string;
  readonly reference: string;
  readonly createdAt: Date;
}

/** The sums of a period's entries of one kind. */
export interface LedgerTotal {
  readonly kind: LedgerKind;
  readonly amountMicroUsd: bigint;
  readonly quantity: bigint;
}

/** Credit that an operator grants or takes back. */
export interface Grant {
  /** Negative to take credit back. */
  readonly amountMicroUsd: bigint;
  /** The operator's own reference: a second grant with it is rejected. */
  readonly reference: string;
}
