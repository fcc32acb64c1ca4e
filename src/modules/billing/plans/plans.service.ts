import { Injectable } from '@nestjs/common';
import { periodOf } from '#kernel/billing/period';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { Hook } from '#kernel/hook';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { BillingConfig } from '#infra/config/config';
import { Transactions } from '#infra/database/transactions';
import { inPeriod, rearmAlerts } from '../accounts/billing-account';
import { BillingAccountsRepository } from '../accounts/billing-accounts.repository';
import { LedgerService } from '../ledger/ledger.service';
import { PeriodsService } from '../usage/periods.service';
import { FeesService } from './fees.service';
import { type AnnouncedPlan, firstCapOf, type Plan, type PlanChange } from './plan';

/** Changes the plan of an organization, and checks the plan that a feature requires. */
@Injectable()
export class PlansService {
  /** See `BillingService.planChange`. */
  readonly planChange = new Hook<[ctx: RequestContext, change: PlanChange]>();

  constructor(
    private readonly accounts: BillingAccountsRepository,
    private readonly fees: FeesService,
    private readonly periods: PeriodsService,
    private readonly ledger: LedgerService,
    private readonly config: BillingConfig,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  /** See `BillingService.requirePlan`. */
  async requirePlan(ctx: RequestContext, organizationId: string, plan: Plan): Promise<void> {
    if (!this.config.isMetered) return;
    if (ctx.transaction) await this.accounts.lockPlanShared(ctx, organizationId);
    if ((await this.accounts.findPlan(ctx, organizationId)) === plan) return;
    throw new AppError('operation_not_allowed', {
      message: `This requires the ${plan} plan. Change the organization's plan first.`,
      details: { required_plan: plan },
    });
  }

  /**
   * @throws AppError operation_not_allowed for a plan that is not available; dependency_exists when a handler of `planChange`
   * rejects the change.
   */
  async change(ctx: RequestContext, organizationId: string, to: AnnouncedPlan): Promise<Plan> {
    if (to === 'enterprise') {
      throw new AppError('operation_not_allowed', {
        message: 'The enterprise plan is not available yet. Choose team or business.',
      });
    }
    return this.transactions.run(ctx, async (tx) => {
      await this.accounts.lockPlanExclusive(tx, organizationId);
      const from = await this.accounts.findPlan(tx, organizationId);
      if (!from) throw new AppError('permission_denied');
      if (from === to) return to;
      await this.planChange.run(tx, { organizationId, from, to });
      await this.switchPlan(tx, organizationId, to);
      await this.audit.record(tx, {
        type: 'billing.plan_changed',
        organizationId,
        payload: { plan: to, previous: from },
      });
      return to;
    });
  }

  /** Ends one plan and starts the other at the same instant, each with its part of the fee. */
  private async switchPlan(tx: RequestContext, organizationId: string, plan: Plan): Promise<void> {
    const account = await this.periods.closeEnded(tx, await this.accounts.lock(tx, organizationId));
    const { now } = account;
    const period = periodOf(now);
    const ended = await this.fees.settlePeriod(tx, account, period, now);
    const changed = { ...ended, plan, planSince: now, spendCapMicroUsd: firstCapOf(plan, this.config) };
    // The plans have different budgets: thresholds may be reached now, or left behind.
    const alerted = await this.ledger.alert(tx, rearmAlerts(inPeriod(changed, period.name)));
    await this.accounts.save(tx, alerted);
    await this.fees.chargeAhead(tx, alerted, period, now);
  }
}
