import { Injectable } from '@nestjs/common';
import { periodOf } from '#kernel/billing/period';
import { DEFAULT_ALERT_PERCENTS, feeBetween, inDollars } from '#kernel/billing/pricing';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { BillingConfig } from '#infra/config/config';
import { Transactions } from '#infra/database/transactions';
import { LedgerService } from '../ledger/ledger.service';
import { FeesService } from '../plans/fees.service';
import { modeOf, type Plan } from '../plans/plan';
import { ReservationsRepository } from '../reservations/reservations.repository';
import {
  availableIn,
  type BillingAccount,
  inPeriod,
  type LockedBillingAccount,
  rearmAlerts,
  spentIn,
} from './billing-account';
import { BillingAccountsRepository } from './billing-accounts.repository';

/** A billing account as its members and operators see it. `spentMicroUsd` is the spending of `period`. */
export interface BillingAccountView extends BillingAccount {
  /** The current period. */
  readonly period: string;
  /** The sum of the reservations that have not expired. */
  readonly openMicroUsd: bigint;
  /** The amount that can be reserved, at least 0. Null when there is no limit. */
  readonly availableMicroUsd: bigint | null;
  /** The fee of the plan for a whole period; 0 when it is not charged. */
  readonly planFeeMicroUsd: bigint;
}

/** Absent fields stay unchanged. */
export interface BillingAccountChange {
  /** Null removes the cap. */
  readonly spendCapMicroUsd?: bigint | null | undefined;
  readonly budgetAlertPercents?: readonly number[] | undefined;
}

/** Opens, shows and changes the billing accounts of organizations. */
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

  /**
   * Opens the account of a new organization, on the team plan. On trial the first fee is credited back, in addition to the
   * trial credit.
   */
  async open(ctx: RequestContext, organizationId: string, onTrial: boolean): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      await this.repository.insert(tx, newAccount(organizationId, await this.repository.now(tx)));
      const account = await this.repository.lock(tx, organizationId);
      const period = periodOf(account.now);
      const fee = feeBetween(account.now, period.end, period, this.fees.feeOf(account));
      const charged = await this.fees.chargeAhead(tx, account, period, account.now);
      if (!onTrial) return;
      const amountMicroUsd = fee + BigInt(this.config.trialCreditMicroUsd);
      await this.ledger.book(tx, charged, { kind: 'trial_credit', amountMicroUsd, reference: 'opening' });
    });
  }

  async view(ctx: RequestContext, organizationId: string): Promise<BillingAccountView> {
    const account = await this.repository.get(ctx, organizationId);
    const openMicroUsd = await this.reservations.sumOpen(ctx, organizationId);
    const period = periodOf(account.now).name;
    const available = this.config.isMetered ? availableIn(account, period, openMicroUsd) : null;
    const availableMicroUsd = available !== null && available < 0n ? 0n : available;
    const planFeeMicroUsd = this.fees.feeOf(account);
    const spentMicroUsd = spentIn(account, period);
    return { ...account, spentMicroUsd, period, openMicroUsd, availableMicroUsd, planFeeMicroUsd };
  }

  /**
   * @throws AppError operation_not_allowed for a spend cap on a prepaid plan or while billing is off, and for a cap above the default,
   * which only an operator can grant.
   */
  async update(ctx: RequestContext, organizationId: string, change: BillingAccountChange): Promise<BillingAccountView> {
    return this.transactions.run(ctx, async (tx) => {
      const { spendCapMicroUsd, budgetAlertPercents } = change;
      const present = {
        ...(spendCapMicroUsd !== undefined && { spendCapMicroUsd }),
        ...(budgetAlertPercents && { budgetAlertPercents: [...budgetAlertPercents].sort((a, b) => a - b) }),
      };
      if (Object.keys(present).length > 0) {
        const before = await this.repository.lock(tx, organizationId);
        const account = { ...before, ...present };
        if (spendCapMicroUsd !== undefined) this.requireCapAllowed(tx, before, spendCapMicroUsd);
        await this.repository.save(tx, await this.alertOfNewCap(tx, before, account));
        const payload = {
          spend_cap_micro_usd: account.spendCapMicroUsd === null ? null : Number(account.spendCapMicroUsd),
          budget_alert_percents: account.budgetAlertPercents,
        };
        await this.audit.record(tx, { type: 'billing.updated', organizationId, payload });
      }
      return this.view(tx, organizationId);
    });
  }

  private requireCapAllowed(
    { identity }: RequestContext,
    { plan, spendCapMicroUsd: present }: BillingAccount,
    cap: bigint | null,
  ): void {
    if (cap !== null) requirePostpaid(plan, this.config);
    const limit = BigInt(this.config.businessSpendCapMicroUsd);
    const isRaised = cap === null ? present !== null : present !== null && cap > present;
    const isAboveLimit = cap === null || cap > limit;
    if (isRaised && isAboveLimit && identity.kind !== 'operator' && this.config.isMetered) throw aboveLimit(limit);
  }

  /** A lower cap may reach a threshold. A higher one may leave thresholds behind, so that they can send an alert again. */
  private async alertOfNewCap(
    tx: RequestContext,
    before: LockedBillingAccount,
    after: LockedBillingAccount,
  ): Promise<LockedBillingAccount> {
    const [from, to] = [before.spendCapMicroUsd, after.spendCapMicroUsd];
    if (from === to) return after;
    const account = inPeriod(after, periodOf(after.now).name);
    const isHigher = to === null || (from !== null && to > from);
    return isHigher ? rearmAlerts(account) : this.ledger.alert(tx, account);
  }

  findWithoutCap(ctx: RequestContext): Promise<readonly string[]> {
    return this.repository.findWithoutCap(ctx);
  }

  /** Sets whether the plan's fee is charged from now on. Fees that are already charged are not refunded. */
  async waiveFee(ctx: RequestContext, organizationId: string, feeWaived: boolean): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      const account = await this.repository.lock(tx, organizationId);
      if (account.feeWaived === feeWaived) return;
      await this.repository.save(tx, { ...account, feeWaived });
      const payload = { waived: feeWaived };
      await this.audit.record(tx, { type: 'billing.fee_waiver_changed', organizationId, payload });
    });
  }
}

/** On a prepaid plan the credit limits the spending, so a cap would have no effect. */
function requirePostpaid(plan: Plan, { isMetered }: BillingConfig): void {
  if (!isMetered) {
    throw new AppError('operation_not_allowed', {
      message: 'This service charges nothing, so a spend cap would have no effect. Leave it out.',
    });
  }
  if (modeOf(plan) === 'postpaid') return;
  throw new AppError('operation_not_allowed', {
    message: `The ${plan} plan is prepaid: its credit is the limit. Change to the business plan to set a spend cap.`,
    details: { required_plan: 'business' },
  });
}

const aboveLimit = (limitMicroUsd: bigint): AppError =>
  new AppError('operation_not_allowed', {
    message: `Members can set a spend cap of at most ${inDollars(limitMicroUsd)} USD. Ask the operators of this service for a higher one.`,
    details: { reason: 'spend_cap_above_limit', limit_micro_usd: Number(limitMicroUsd) },
  });

const newAccount = (organizationId: string, now: Date): BillingAccount => ({
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
  feeWarningPeriod: null,
});
