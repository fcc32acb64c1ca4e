import { Injectable } from '@nestjs/common';
import { reachedPercent } from '#kernel/billing/budget';
import { type RequestContext } from '#kernel/context/request-context';
import { type Page, type PageRequest } from '#kernel/cursor';
import { AppError } from '#kernel/errors/app-error';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { Jobs } from '#infra/jobs/jobs';
import {
  applyPosting,
  bookingPeriod,
  budgetOf,
  type LockedBillingAccount,
  rearmAlerts,
  usedOf,
} from '../accounts/billing-account';
import { BillingAccountsRepository } from '../accounts/billing-accounts.repository';
import { BUDGET_ALERT } from '../plans/plan';
import { type EntryDraft, type Grant, type LedgerEntry } from './ledger-entry';
import { LedgerRepository } from './ledger.repository';

/** The append-only ledger. Balances change only through it. */
@Injectable()
export class LedgerService {
  constructor(
    private readonly accounts: BillingAccountsRepository,
    private readonly repository: LedgerRepository,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
    private readonly jobs: Jobs,
  ) {}

  /** Whether anything but trial credit was ever credited: a paid top-up, or a grant of an operator. */
  hasPayment(ctx: RequestContext, organizationId: string): Promise<boolean> {
    return this.repository.hasPayment(ctx, organizationId);
  }

  /** Newest first. */
  list(ctx: RequestContext, organizationId: string, request: PageRequest): Promise<Page<LedgerEntry>> {
    return this.repository.list(ctx, organizationId, request);
  }

  /**
   * Books an entry on an account that the transaction has locked, once for its kind and reference.
   * @returns the saved account; the `account` object itself when the entry was booked before.
   */
  async book(tx: RequestContext, account: LockedBillingAccount, draft: EntryDraft): Promise<LockedBillingAccount> {
    const { organizationId, now } = account;
    const period = draft.period ?? bookingPeriod(account, now);
    if (!(await this.repository.insert(tx, organizationId, { ...draft, period }, now))) return account;
    const isUsage = draft.quantity !== undefined;
    const posted = applyPosting(account, { ...draft, isUsage, period });
    const isCredit = !isUsage && draft.amountMicroUsd > 0n;
    const after = await this.alert(tx, isCredit ? rearmAlerts(posted) : posted);
    await this.accounts.save(tx, after);
    return after;
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
   * @returns the account with the threshold; the caller saves it.
   */
  async alert(tx: RequestContext, account: LockedBillingAccount): Promise<LockedBillingAccount> {
    const { organizationId, spentPeriod: period } = account;
    const [used, budget] = [usedOf(account), budgetOf(account)];
    const percent = reachedPercent(used, budget, account.budgetAlertPercents);
    if (budget === null || percent === null || percent <= account.alertedPercent) return account;
    const alert = { organizationId, period, percent, spent: String(used), budget: String(budget) };
    await this.jobs.enqueue(tx, BUDGET_ALERT, alert);
    await this.audit.record(tx, { type: 'billing.budget_reached', organizationId, payload: { period, percent } });
    return { ...account, alertedPercent: percent };
  }
}
