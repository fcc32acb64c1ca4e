import { Injectable } from '@nestjs/common';
import { DEFAULT_ALERT_PERCENTS } from '#kernel/billing/budget';
import { feeBetween } from '#kernel/billing/pricing';
import { periodOf } from '#kernel/billing/period';
import { type RequestContext } from '#kernel/context/request-context';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { BillingConfig } from '#infra/config/config';
import { Transactions } from '#infra/database/transactions';
import { type Account, freeIn, spentIn } from './billing-account';
import { BillingAccountsRepository } from './billing-accounts.repository';
import { FeesService } from '../plans/fees.service';
import { LedgerService } from '../ledger/ledger.service';
import { PLAN_FEES } from '../plans/plan';
import { ReservationsRepository } from '../reservations/reservations.repository';

/** An account as those who pay see it. */
export interface AccountView extends Account {
  /** The present one. */
  readonly period: string;
  /** What reservations hold that have not run out. */
  readonly openMicroUsd: bigint;
  /** What can be reserved; null: there is no end to it. */
  readonly availableMicroUsd: bigint | null;
}

export interface AccountChange {
  readonly spendCapMicroUsd?: bigint | null | undefined;
  readonly budgetAlertPercents?: readonly number[] | undefined;
}

/** What organizations pay with. */
@Injectable()
export class BillingAccountsService {
  constructor(
    private readonly repository: BillingAccountsRepository,
    private readonly reservations: ReservationsRepository,
    private readonly fees: FeesService,
    private readonly ledger: LedgerService,
    private readonly config: BillingConfig,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  /** A new organization is on Team (contract §5); on trial its first fee is paid, and it has the trial credit after that. */
  async open(ctx: RequestContext, organizationId: string, onTrial: boolean): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      await this.repository.insert(tx, blankAccount(organizationId, await this.repository.now(tx)));
      const account = await this.repository.lock(tx, organizationId);
      const period = periodOf(account.now);
      const fee = feeBetween(account.now, period.end, period, PLAN_FEES.team);
      const charged = await this.fees.begin(tx, account, period, account.now);
      if (!onTrial) return;
      const amountMicroUsd = fee + BigInt(this.config.trialCreditMicroUsd);
      await this.ledger.book(tx, charged, { kind: 'trial_credit', amountMicroUsd, reference: 'opening' });
    });
  }

  async view(ctx: RequestContext, organizationId: string): Promise<AccountView> {
    const account = await this.repository.get(ctx, organizationId);
    const openMicroUsd = await this.reservations.sumOpen(ctx, organizationId);
    const period = periodOf(account.now).name;
    const free = freeIn(account, period, openMicroUsd);
    const availableMicroUsd = free !== null && free < 0n ? 0n : free;
    return { ...account, spentMicroUsd: spentIn(account, period), period, openMicroUsd, availableMicroUsd };
  }

  async change(ctx: RequestContext, organizationId: string, change: AccountChange): Promise<AccountView> {
    return this.transactions.run(ctx, async (tx) => {
      const { spendCapMicroUsd, budgetAlertPercents } = change;
      const present = {
        ...(spendCapMicroUsd !== undefined && { spendCapMicroUsd }),
        ...(budgetAlertPercents && { budgetAlertPercents: [...budgetAlertPercents].sort((a, b) => a - b) }),
      };
      if (Object.keys(present).length > 0) {
        const account = { ...(await this.repository.lock(tx, organizationId)), ...present };
        await this.repository.save(tx, account);
        const payload = {
          spend_cap_micro_usd: account.spendCapMicroUsd === null ? null : Number(account.spendCapMicroUsd),
          budget_alert_percents: account.budgetAlertPercents,
        };
        await this.audit.record(tx, { type: 'billing.updated', organizationId, payload });
      }
      return this.view(tx, organizationId);
    });
  }
}

const blankAccount = (organizationId: string, now: Date): Account => ({
  organizationId,
  plan: 'team',
  planSince: now,
  balanceMicroUsd: 0n,
  reservedMicroUsd: 0n,
  spendCapMicroUsd: null,
  budgetAlertPercents: DEFAULT_ALERT_PERCENTS,
  spentMicroUsd: 0n,
  spentPeriod: periodOf(now).name,
  alertedPercent: 0,
  openPeriod: periodOf(now).name,
  metered: true,
  feeWaived: false,
});
