import { Injectable } from '@nestjs/common';
import { type Period } from '#kernel/billing/period';
import { feeBetween } from '#kernel/billing/pricing';
import { type RequestContext } from '#kernel/context/request-context';
import { newId } from '#kernel/ids';
import { type LockedAccount } from '../accounts/billing-account';
import { LedgerRepository } from '../ledger/ledger.repository';
import { LedgerService } from '../ledger/ledger.service';
import { type Plan, PLAN_FEES } from './plan';

/** Below zero: it comes back. */
interface Charge {
  readonly fee: bigint;
  readonly period: Period;
  readonly reference: string;
}

/**
 * The flat fee of a plan, pro rata by the millisecond. Team's is taken in advance, at the start of a period or of the plan;
 * Business's in arrears, at the end of either (contract §10).
 */
@Injectable()
export class FeesService {
  constructor(
    private readonly ledger: LedgerService,
    private readonly entries: LedgerRepository,
  ) {}

  /** What the present plan costs from an instant to the end of its period. For a plan paid in arrears, nothing yet. */
  async begin(tx: RequestContext, account: LockedAccount, period: Period, from: Date): Promise<LockedAccount> {
    if (account.plan !== 'team') return account;
    const fee = feeBetween(from, period.end, period, PLAN_FEES.team);
    return this.chargeTeam(tx, account, { fee, period, reference: referenceOf('team', from) });
  }

  /** What the present plan has cost up to an instant of the period; of one paid in advance, the rest is given back. */
  async end(tx: RequestContext, account: LockedAccount, period: Period, until: Date): Promise<LockedAccount> {
    const { plan, planSince } = account;
    const from = planSince > period.start ? planSince : period.start;
    const fee = PLAN_FEES[plan];
    const used = feeBetween(from, until, period, fee);
    const reference = referenceOf(plan, from);
    if (plan === 'business') return this.charge(tx, account, { fee: used, period, reference });
    const unused = feeBetween(from, period.end, period, fee) - used;
    const refund = least(unused, await this.paid(tx, account, period));
    return this.chargeTeam(tx, account, { fee: -refund, period, reference: `${reference}|unused` });
  }

  /** What the fees of a period come to so far. */
  private async paid(tx: RequestContext, { organizationId }: LockedAccount, { name }: Period): Promise<bigint> {
    const totals = await this.entries.totals(tx, organizationId, name);
    const paid = -(totals.find(({ kind }) => kind === 'plan_fee')?.amountMicroUsd ?? 0n);
    return paid > 0n ? paid : 0n;
  }

  /**
   * Team's fee, or what of it comes back. In the month in which an organization was opened on trial it is the trial's: what is
   * charged is given, and what comes back is taken again, so that no change of plan makes the trial larger or smaller.
   */
  private async chargeTeam(tx: RequestContext, account: LockedAccount, charge: Charge): Promise<LockedAccount> {
    const charged = await this.charge(tx, account, charge);
    const { fee: amountMicroUsd, period, reference } = charge;
    if (charged === account || !(await this.isOnTrial(tx, account, period))) return charged;
    return this.ledger.book(tx, charged, { kind: 'trial_credit', amountMicroUsd, reference, period: period.name });
  }

  private async isOnTrial(tx: RequestContext, { organizationId }: LockedAccount, { name }: Period): Promise<boolean> {
    return (await this.entries.totals(tx, organizationId, name)).some(({ kind }) => kind === 'trial_credit');
  }

  private async charge(
    tx: RequestContext,
    account: LockedAccount,
    { fee, period, reference }: Charge,
  ): Promise<LockedAccount> {
    if (fee === 0n || (account.feeWaived && fee > 0n)) return account;
    return this.ledger.book(tx, account, { kind: 'plan_fee', amountMicroUsd: -fee, reference, period: period.name });
  }
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/**
 * A fee for each stretch on a plan; two may begin in one millisecond. That none is charged twice is the doing of the account's
 * lock and its open period.
 */
const referenceOf = (plan: Plan, from: Date): string => `${plan}|${from.toISOString()}|${newId()}`;
