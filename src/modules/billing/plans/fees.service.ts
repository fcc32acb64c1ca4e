import { Injectable } from '@nestjs/common';
import { type Period } from '#kernel/billing/period';
import { feeBetween } from '#kernel/billing/pricing';
import { type RequestContext } from '#kernel/context/request-context';
import { newId } from '#kernel/ids';
import { BillingConfig } from '#infra/config/config';
import { type BillingAccount, type LockedBillingAccount } from '../accounts/billing-account';
import { LedgerRepository } from '../ledger/ledger.repository';
import { LedgerService } from '../ledger/ledger.service';
import { type Plan, PLAN_FEES } from './plan';

interface Charge {
  /** In micro-dollars. A negative fee is a refund. */
  readonly fee: bigint;
  readonly period: Period;
  readonly reference: string;
}

/**
 * Charges the flat fee of a plan, pro rata by the millisecond. The team plan is charged in advance, when a period or the plan
 * starts; the business plan in arrears, when either ends.
 */
@Injectable()
export class FeesService {
  constructor(
    private readonly ledger: LedgerService,
    private readonly entries: LedgerRepository,
    private readonly config: BillingConfig,
  ) {}

  /** The fee of the account's plan for a whole period: zero when it is waived, or while billing is off. */
  feeOf({ plan, feeWaived }: Pick<BillingAccount, 'plan' | 'feeWaived'>): bigint {
    return feeWaived || !this.config.isMetered ? 0n : PLAN_FEES[plan];
  }

  /** Charges the current plan from an instant to the end of its period. Does nothing for a plan that is charged in arrears. */
  async chargeAhead(
    tx: RequestContext,
    account: LockedBillingAccount,
    period: Period,
    from: Date,
  ): Promise<LockedBillingAccount> {
    if (account.plan !== 'team') return account;
    const fee = feeBetween(from, period.end, period, PLAN_FEES.team);
    return this.chargeTeam(tx, account, { fee, period, reference: referenceOf('team', from) });
  }

  /**
   * Settles the current plan's fee up to an instant of the period: charges a plan in arrears, and refunds the unused part of a plan
   * that was charged in advance.
   */
  async settlePeriod(
    tx: RequestContext,
    account: LockedBillingAccount,
    period: Period,
    until: Date,
  ): Promise<LockedBillingAccount> {
    const { plan, planSince } = account;
    const from = planSince > period.start ? planSince : period.start;
    const fee = PLAN_FEES[plan];
    // While the clock is in doubt, the time of billing stands still and may be before the plan's start.
    const used = feeBetween(from, until > from ? until : from, period, fee);
    const reference = referenceOf(plan, from);
    if (plan === 'business') return this.charge(tx, account, { fee: used, period, reference });
    const unused = feeBetween(from, period.end, period, fee) - used;
    const refund = min(unused, await this.chargedFees(tx, account, period));
    return this.chargeTeam(tx, account, { fee: -refund, period, reference: `${reference}|unused` });
  }

  /** The sum of the fees charged in a period, at least 0. */
  private async chargedFees(
    tx: RequestContext,
    { organizationId }: LockedBillingAccount,
    { name }: Period,
  ): Promise<bigint> {
    const totals = await this.entries.totals(tx, organizationId, name);
    const charged = -(totals.find(({ kind }) => kind === 'plan_fee')?.amountMicroUsd ?? 0n);
    return charged > 0n ? charged : 0n;
  }

  /**
   * Charges or refunds the team plan's fee. The trial covers the fee of its first month: each charge is balanced by a credit and
   * each refund by a debit, so that plan changes do not make the trial larger or smaller. The positive entry is booked first: the
   * balance must not seem exhausted in between.
   */
  private async chargeTeam(
    tx: RequestContext,
    account: LockedBillingAccount,
    charge: Charge,
  ): Promise<LockedBillingAccount> {
    const { fee: amountMicroUsd, period, reference } = charge;
    if (!this.isCharged(account, amountMicroUsd)) return account;
    if (!(await this.isOnTrial(tx, account, period))) return this.charge(tx, account, charge);
    const balance = { kind: 'trial_credit', amountMicroUsd, reference, period: period.name } as const;
    if (amountMicroUsd < 0n) return this.ledger.book(tx, await this.charge(tx, account, charge), balance);
    return this.charge(tx, await this.ledger.book(tx, account, balance), charge);
  }

  private async isOnTrial(
    tx: RequestContext,
    { organizationId }: LockedBillingAccount,
    { name }: Period,
  ): Promise<boolean> {
    return (await this.entries.totals(tx, organizationId, name)).some(({ kind }) => kind === 'trial_credit');
  }

  private async charge(
    tx: RequestContext,
    account: LockedBillingAccount,
    { fee, period, reference }: Charge,
  ): Promise<LockedBillingAccount> {
    if (!this.isCharged(account, fee)) return account;
    return this.ledger.book(tx, account, { kind: 'plan_fee', amountMicroUsd: -fee, reference, period: period.name });
  }

  /** Refunds are also made after the fee is waived, and while billing is off. */
  private isCharged(account: BillingAccount, fee: bigint): boolean {
    return fee < 0n || (fee > 0n && this.feeOf(account) > 0n);
  }
}

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/**
 * A reference of its own for each charge, because a plan can change twice in one millisecond. The reference does not prevent a
 * double charge; the account's lock and its open period do.
 */
const referenceOf = (plan: Plan, from: Date): string => `${plan}|${from.toISOString()}|${newId()}`;
