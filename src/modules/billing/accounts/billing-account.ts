import { periodOf } from '#kernel/billing/period';
import { modeOf, type Plan } from '../plans/plan';

/** What an organization pays with (contract §10). */
export interface Account {
  readonly organizationId: string;
  readonly plan: Plan;
  readonly planSince: Date;
  /** The sum of the ledger; below zero is owed. */
  readonly balanceMicroUsd: bigint;
  /** The sum of the active reservations, those included that have run out and nobody has looked at yet. */
  readonly reservedMicroUsd: bigint;
  readonly spendCapMicroUsd: bigint | null;
  readonly budgetAlertPercents: readonly number[];
  /** Usage charged in `spentPeriod`; in later ones nothing was. */
  readonly spentMicroUsd: bigint;
  readonly spentPeriod: string;
  /** The highest threshold of the budget that was told of in `spentPeriod`; 0: none. */
  readonly alertedPercent: number;
  /** The oldest period that is not closed: nothing is booked before it. */
  readonly openPeriod: string;
  /** False: its artifacts lie in its own store, and its meters rest. */
  readonly metered: boolean;
  readonly feeWaived: boolean;
}

/** An account that nobody else can change before the transaction ends, and when that began to be so. */
export interface LockedAccount extends Account {
  /** By the database's clock, in whole milliseconds. */
  readonly now: Date;
}

/** What a posting does to an account besides the entry that it makes. */
export interface Posting {
  /** Added to the balance: negative for a charge. */
  readonly amountMicroUsd: bigint;
  /** Whether it is usage, which counts against the cap. */
  readonly isUsage: boolean;
  readonly period: string;
}

/** The period that a posting at an instant belongs to: never one that is closed. */
export const bookingPeriod = ({ openPeriod }: Account, now: Date): string => {
  const { name } = periodOf(now);
  return name > openPeriod ? name : openPeriod;
};

/** The account after a posting. A late one for a period before the present one leaves what was spent in the present. */
export function posted<T extends Account>(account: T, { amountMicroUsd, isUsage, period }: Posting): T {
  const balanceMicroUsd = account.balanceMicroUsd + amountMicroUsd;
  if (!isUsage || period < account.spentPeriod) return { ...account, balanceMicroUsd };
  const isNew = period > account.spentPeriod;
  return {
    ...account,
    balanceMicroUsd,
    spentPeriod: period,
    spentMicroUsd: (isNew ? 0n : account.spentMicroUsd) - amountMicroUsd,
    alertedPercent: isNew ? 0 : account.alertedPercent,
  };
}

/** Usage charged in a period, which is the account's present one or a later. */
export const spentIn = (account: Account, period: string): bigint =>
  account.spentPeriod === period ? account.spentMicroUsd : 0n;

/** What the organization may spend on usage in the period of `spentPeriod`: its cap, or the credit that it had. Null: no end. */
export const budgetOf = (account: Account): bigint | null =>
  modeOf(account.plan) === 'postpaid' ? account.spendCapMicroUsd : account.balanceMicroUsd + account.spentMicroUsd;

/**
 * What is free to be reserved in a period: credit or cap, minus what is spent, minus what is reserved. Below zero when more is
 * owed. Null: there is no end to it.
 */
export function freeIn(account: Account, period: string, reservedMicroUsd: bigint): bigint | null {
  if (modeOf(account.plan) === 'prepaid') return account.balanceMicroUsd - reservedMicroUsd;
  if (account.spendCapMicroUsd === null) return null;
  return account.spendCapMicroUsd - spentIn(account, period) - reservedMicroUsd;
}
