import { Injectable } from '@nestjs/common';
import { periodOf } from '#kernel/billing/period';
import { reachedPercent } from '#kernel/billing/pricing';
import { type RequestContext } from '#kernel/context/request-context';
import { type Page, type PageRequest } from '#kernel/cursor';
import { AppError } from '#kernel/errors/app-error';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { BillingConfig } from '#infra/config/config';
import { Transactions } from '#infra/database/transactions';
import { defineJob } from '#infra/jobs/job-kind';
import { Jobs } from '#infra/jobs/jobs';
import {
  applyPosting,
  availableIn,
  bookingPeriod,
  budgetOf,
  forgetFeeWarning,
  type LockedBillingAccount,
  rearmAlerts,
  usedOf,
} from '../accounts/billing-account';
import { BillingAccountsRepository } from '../accounts/billing-accounts.repository';
import { BUDGET_ALERT } from '../plans/plan';
import { LedgerRepository } from './ledger.repository';
import { type EntryDraft, type Grant, type LedgerEntry } from './ledger-entry';

/**
 * A fee or the storage of an organization has used up the amount that was available for transfers. Sums are decimal text in micro-dollars.
 */
interface ExhaustedNotice {
  readonly kind: 'exhausted';
  readonly organizationId: string;
  readonly cause: 'fee' | 'storage';
  /** The month of the charge. */
  readonly period: string;
  readonly chargeMicroUsd: string;
  readonly balanceMicroUsd: string;
  /** Null on a prepaid plan. */
  readonly spendCapMicroUsd: string | null;
}

/** The fee of the coming month would use up the balance of an organization. Sums are decimal text in micro-dollars. */
interface FeeNotice {
  readonly kind: 'fee-not-covered';
  readonly organizationId: string;
  /** The coming month. */
  readonly period: string;
  readonly feeMicroUsd: string;
  readonly balanceMicroUsd: string;
}

export type BillingNotice = ExhaustedNotice | FeeNotice;

/** Mails the billing contacts. Handled in `organizations`, which knows them. */
export const BILLING_NOTICE = defineJob<BillingNotice>('billing.notice', { jobClass: 'mail' });

/** The append-only ledger. Balances change only through it. */
@Injectable()
export class LedgerService {
  constructor(
    private readonly accounts: BillingAccountsRepository,
    private readonly repository: LedgerRepository,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
    private readonly jobs: Jobs,
    private readonly config: BillingConfig,
  ) {}

  /** Newest first. */
  list(ctx: RequestContext, organizationId: string, request: PageRequest): Promise<Page<LedgerEntry>> {
    return this.repository.list(ctx, organizationId, request);
  }

  /**
   * Books an entry on an account that the transaction has locked, once for its kind and reference.
   * @returns the saved account; the `account` object itself when the entry was booked before.
   */
  async book(tx: RequestContext, account: LockedBillingAccount, draft: EntryDraft): Promise<LockedBillingAccount> {
    const period = draft.period ?? bookingPeriod(account, account.now);
    const isUsage = draft.quantity !== undefined;
    const posted = applyPosting(account, { ...draft, isUsage, period });
    const isCredit = !isUsage && draft.amountMicroUsd > 0n;
    const booked = isCredit ? forgetFeeWarning(rearmAlerts(posted)) : posted;
    if (!(await this.repository.post(tx, booked, { ...draft, period }))) return account;
    const isExhausted = await this.reportExhausted(tx, account, posted, { ...draft, period });
    const alerted = await this.alert(tx, booked, !isExhausted);
    if (alerted !== booked) await this.accounts.save(tx, alerted);
    return alerted;
  }

  /** Grants credit, or with a negative amount takes it back. @throws AppError already_exists when the reference is in use. */
  async grant(ctx: RequestContext, organizationId: string, { amountMicroUsd, reference }: Grant): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      const account = await this.accounts.lock(tx, organizationId);
      const after = await this.book(tx, account, { kind: 'grant', amountMicroUsd, reference });
      if (after === account) {
        const message = `A grant with the reference "${reference}" already exists. Use another reference.`;
        throw new AppError('already_exists', { message });
      }
      const payload = { amount_micro_usd: Number(amountMicroUsd), reference };
      await this.audit.record(tx, { type: 'billing.credit_granted', organizationId, payload });
    });
  }

  /**
   * Sends an alert for the highest threshold that spending and reservations have reached. Once per threshold, because the account
   * is locked.
   * @param mails false when the members receive another mail about the change.
   * @returns the account with the threshold; the caller saves it.
   */
  async alert(tx: RequestContext, account: LockedBillingAccount, mails = true): Promise<LockedBillingAccount> {
    if (!this.config.isMetered) return account;
    const { organizationId, spentPeriod: period } = account;
    const [used, budget] = [usedOf(account), budgetOf(account)];
    const percent = reachedPercent(used, budget, account.budgetAlertPercents);
    if (budget === null || percent === null || percent <= account.alertedPercent) return account;
    const alert = { organizationId, period, percent, spent: String(used), budget: String(budget > 0n ? budget : 0n) };
    if (mails) await this.jobs.enqueue(tx, BUDGET_ALERT, alert);
    await this.audit.record(tx, { type: 'billing.budget_reached', organizationId, payload: { period, percent } });
    return { ...account, alertedPercent: percent };
  }

  /**
   * Mails the members when a fee or storage has used up the available amount: otherwise they would notice only when their next upload or
   * download is rejected.
   * @returns whether the amount is used up.
   */
  private async reportExhausted(
    tx: RequestContext,
    before: LockedBillingAccount,
    after: LockedBillingAccount,
    { kind, amountMicroUsd, period }: EntryDraft & { readonly period: string },
  ): Promise<boolean> {
    if (kind !== 'plan_fee' && kind !== 'usage_storage') return false;
    if (!isUsedUp(after) || isUsedUp(before)) return false;
    await this.jobs.enqueue(tx, BILLING_NOTICE, {
      kind: 'exhausted',
      organizationId: after.organizationId,
      cause: kind === 'plan_fee' ? 'fee' : 'storage',
      period,
      chargeMicroUsd: String(-amountMicroUsd),
      balanceMicroUsd: String(after.balanceMicroUsd),
      spendCapMicroUsd: after.spendCapMicroUsd === null ? null : String(after.spendCapMicroUsd),
    });
    return true;
  }
}

/** Whether nothing can be reserved at the time of the account. */
const isUsedUp = (account: LockedBillingAccount): boolean => {
  const available = availableIn(account, periodOf(account.now).name, account.reservedMicroUsd);
  return available !== null && available <= 0n;
};
