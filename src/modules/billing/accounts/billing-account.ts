import { periodNamed, periodOf } from '#kernel/billing/period';
import { feeBetween, reachedPercent } from '#kernel/billing/pricing';
import { modeOf, type Plan, PLAN_FEES } from '../plans/plan';

/** The billing account of an organization. */
export interface BillingAccount {
  readonly organizationId: string;
  readonly plan: Plan;
  readonly planSince: Date;
  /** The sum of the ledger entries. A negative balance is owed. */
  readonly balanceMicroUsd: bigint;
  /** The sum of the reservations in state `active`. Includes expired reservations until they are swept. */
  readonly reservedMicroUsd: bigint;
  /** Null when there is no cap. */
  readonly spendCapMicroUsd: bigint | null;
  readonly budgetAlertPercents: readonly number[];
  /** Usage charged in `spentPeriod`. Nothing was charged in later periods. */
  readonly spentMicroUsd: bigint;
  readonly spentPeriod: string;
  /** The highest reached budget threshold for which an alert was sent in `spentPeriod`; 0 when there is none. */
  readonly alertedPercent: number;
  /** The oldest period that is not closed. No entry is booked into an earlier period. */
  readonly openPeriod: string;
  /** False while the organization stores artifacts in its own storage account: nothing is metered. */
  readonly metered: boolean;
  readonly feeWaived: boolean;
  /** The period whose fee the members were warned about. Null when there is none, or when the balance has covered the fee since. */
  readonly feeWarningPeriod: string | null;
}

/** A billing account as one statement read it. */
export interface BillingAccountSnapshot extends BillingAccount {
  /** The database's clock at that moment, in whole milliseconds. */
  readonly now: Date;
}

/** A billing account that the transaction has locked, so that the snapshot stays current until the transaction ends. */
export type LockedBillingAccount = BillingAccountSnapshot;

/** The effect of a ledger entry on its account. */
export interface Posting {
  /** Added to the balance: negative for a charge. */
  readonly amountMicroUsd: bigint;
  /** Whether the entry is usage, which counts against the cap. */
  readonly isUsage: boolean;
  readonly period: string;
}

/** The period into which an entry is booked at an instant: the instant's month, or the open period when that is later. */
export const bookingPeriod = ({ openPeriod }: BillingAccount, now: Date): string => {
  const { name } = periodOf(now);
  return name > openPeriod ? name : openPeriod;
};

/** The account after a posting. Usage of a period before `spentPeriod` does not change the spending of `spentPeriod`. */
export function applyPosting<T extends BillingAccount>(account: T, { amountMicroUsd, isUsage, period }: Posting): T {
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

/** The account with the counters of a period: spending and alerts of an earlier period no longer count. */
export const inPeriod = <T extends BillingAccount>(account: T, period: string): T =>
  period > account.spentPeriod ? { ...account, spentPeriod: period, spentMicroUsd: 0n, alertedPercent: 0 } : account;

/** The amount that counts against the budget: spending in `spentPeriod`, and reservations. */
export const usedOf = (account: BillingAccount): bigint => account.spentMicroUsd + account.reservedMicroUsd;

/** The account after its budget grew: the thresholds that are no longer reached can send an alert again. */
export function rearmAlerts<T extends BillingAccount>(account: T): T {
  const reached = reachedPercent(usedOf(account), budgetOf(account), account.budgetAlertPercents) ?? 0;
  return reached < account.alertedPercent ? { ...account, alertedPercent: reached } : account;
}

/** The account after credit: a fee that is covered now can cause a warning again. */
export const forgetFeeWarning = <T extends BillingAccount>(account: T): T =>
  account.feeWarningPeriod !== null && !lacksFee(account, PLAN_FEES[account.plan])
    ? { ...account, feeWarningPeriod: null }
    : account;

/**
 * The fee that is charged at the end of a period if the plan stays: a prepaid plan is charged for the next period, a postpaid one for its
 * part of this period.
 */
export function nextFeeOf({ plan, planSince, period, planFeeMicroUsd }: FeeOutlook): bigint {
  const current = periodNamed(period);
  if (modeOf(plan) === 'prepaid' || planSince <= current.start) return planFeeMicroUsd;
  return planSince < current.end ? feeBetween(planSince, current.end, current, planFeeMicroUsd) : 0n;
}

interface FeeOutlook extends Pick<BillingAccount, 'plan' | 'planSince'> {
  readonly period: string;
  /** For a whole period. */
  readonly planFeeMicroUsd: bigint;
}

/** Whether the balance of a prepaid account is too small for a fee: nothing would be left after it. */
export const lacksFee = ({ plan, balanceMicroUsd }: BillingAccount, feeMicroUsd: bigint): boolean =>
  modeOf(plan) === 'prepaid' && feeMicroUsd > 0n && balanceMicroUsd <= feeMicroUsd;

/** Usage charged in a period. The period must not be before `spentPeriod`. */
export const spentIn = (account: BillingAccount, period: string): bigint =>
  account.spentPeriod === period ? account.spentMicroUsd : 0n;

/**
 * The limit of usage in `spentPeriod`: the spend cap, or on a prepaid plan the credit at the start of the period plus later credit. Null
 * when there is no limit.
 */
export const budgetOf = (account: BillingAccount): bigint | null =>
  modeOf(account.plan) === 'postpaid' ? account.spendCapMicroUsd : account.balanceMicroUsd + account.spentMicroUsd;

/**
 * The amount that can be reserved in a period: the credit or the cap, minus spending, minus reservations. Negative when the account is
 * overdrawn. Null when there is no limit.
 */
export function availableIn(account: BillingAccount, period: string, reservedMicroUsd: bigint): bigint | null {
  if (modeOf(account.plan) === 'prepaid') return account.balanceMicroUsd - reservedMicroUsd;
  if (account.spendCapMicroUsd === null) return null;
  return account.spendCapMicroUsd - spentIn(account, period) - reservedMicroUsd;
}
