import { type Meter } from '#kernel/billing/pricing';

/** What an entry of the ledger is about. */
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

/** An entry as it is to be booked. */
export interface EntryDraft {
  readonly kind: LedgerKind;
  /** Below zero: a charge. */
  readonly amountMicroUsd: bigint;
  /** What it is for: a second entry of the same kind and reference is not booked. */
  readonly reference: string;
  /** Of usage: what was metered, in bytes or byte-milliseconds. */
  readonly quantity?: bigint;
  /** Default: the present one. */
  readonly period?: string;
}

/** An entry of the ledger, as it stays. */
export interface LedgerEntry {
  readonly id: string;
  readonly kind: LedgerKind;
  readonly amountMicroUsd: bigint;
  readonly quantity: bigint | null;
  readonly period: string;
  readonly reference: string;
  readonly createdAt: Date;
}

/** What a period's entries of one kind come to. */
export interface LedgerTotal {
  readonly kind: LedgerKind;
  readonly amountMicroUsd: bigint;
  readonly quantity: bigint;
}
