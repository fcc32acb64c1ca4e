import { Injectable } from '@nestjs/common';
import { reachedPercent } from '#kernel/billing/budget';
import { type RequestContext } from '#kernel/context/request-context';
import { type Page, type PageRequest } from '#kernel/cursor';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Jobs } from '#infra/jobs/jobs';
import { budgetOf, bookingPeriod, type LockedAccount, posted } from '../accounts/billing-account';
import { BillingAccountsRepository } from '../accounts/billing-accounts.repository';
import { BUDGET_ALERT } from '../budget-alert';
import { type EntryDraft, type LedgerEntry } from './ledger';
import { LedgerRepository } from './ledger.repository';

/** The append-only ledger: the only way in which a balance changes. */
@Injectable()
export class LedgerService {
  constructor(
    private readonly accounts: BillingAccountsRepository,
    private readonly repository: LedgerRepository,
    private readonly audit: AuditRecorder,
    private readonly jobs: Jobs,
  ) {}

  page(ctx: RequestContext, organizationId: string, request: PageRequest): Promise<Page<LedgerEntry>> {
    return this.repository.page(ctx, organizationId, request);
  }

  /**
   * Books an entry on an account whose lock the transaction holds, once for its kind and reference.
   * @returns the account after it, saved; the same object when it had been booked before.
   */
  async book(tx: RequestContext, account: LockedAccount, draft: EntryDraft): Promise<LockedAccount> {
    const { organizationId, now } = account;
    const period = draft.period ?? bookingPeriod(account, now);
    if (!(await this.repository.insert(tx, organizationId, { ...draft, period }, now))) return account;
    const isUsage = draft.quantity !== undefined;
    const after = await this.alert(tx, posted(account, { ...draft, isUsage, period }));
    await this.accounts.save(tx, after);
    return after;
  }

  /** Tells of a threshold that has been reached, the highest if there are several: once, as the account is locked. */
  private async alert(tx: RequestContext, account: LockedAccount): Promise<LockedAccount> {
    const { organizationId, spentPeriod: period, spentMicroUsd } = account;
    const budget = budgetOf(account);
    const percent = reachedPercent(spentMicroUsd, budget, account.budgetAlertPercents);
    if (budget === null || percent === null || percent <= account.alertedPercent) return account;
    const alert = { organizationId, period, percent, spent: String(spentMicroUsd), budget: String(budget) };
    await this.jobs.enqueue(tx, BUDGET_ALERT, alert);
    await this.audit.record(tx, { type: 'billing.budget_reached', organizationId, payload: { period, percent } });
    return { ...account, alertedPercent: percent };
  }
}
