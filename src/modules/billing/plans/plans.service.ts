import { Injectable } from '@nestjs/common';
import { periodOf } from '#kernel/billing/period';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { BillingAccountsRepository } from '../accounts/billing-accounts.repository';
import { FeesService } from './fees.service';
import { PeriodsService } from '../statements/periods.service';
import { type AnnouncedPlan, type Plan, type PlanGuard } from './plan';

/** Which plan an organization is on, what needs which, and the change from one to another. */
@Injectable()
export class PlansService {
  private readonly guards: PlanGuard[] = [];

  constructor(
    private readonly accounts: BillingAccountsRepository,
    private readonly fees: FeesService,
    private readonly periods: PeriodsService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  /** Called by modules above in `onModuleInit`: what they keep may depend on a plan. */
  guard(guard: PlanGuard): void {
    this.guards.push(guard);
  }

  /** @throws AppError operation_not_allowed with details.required_plan on another plan. */
  async require(ctx: RequestContext, organizationId: string, plan: Plan): Promise<void> {
    if (ctx.transaction) await this.accounts.keepPlan(ctx, organizationId);
    if ((await this.accounts.findPlan(ctx, organizationId)) === plan) return;
    throw new AppError('operation_not_allowed', {
      message: `This needs the ${plan} plan. Change the plan of the organization first.`,
      details: { required_plan: plan },
    });
  }

  /**
   * @throws AppError operation_not_allowed for a plan that is only announced; dependency_exists when a guard objects.
   */
  async change(ctx: RequestContext, organizationId: string, to: AnnouncedPlan): Promise<Plan> {
    if (to === 'enterprise') {
      throw new AppError('operation_not_allowed', {
        message: 'The enterprise plan is announced, but not available yet.',
      });
    }
    return this.transactions.run(ctx, async (tx) => {
      await this.accounts.lockPlan(tx, organizationId);
      const from = await this.accounts.findPlan(tx, organizationId);
      if (!from) throw new AppError('permission_denied');
      if (from === to) return to;
      for (const guard of this.guards) await guard(tx, { organizationId, from, to });
      await this.switch(tx, organizationId, to);
      await this.audit.record(tx, {
        type: 'billing.plan_changed',
        organizationId,
        payload: { plan: to, previous: from },
      });
      return to;
    });
  }

  /** Ends one plan and begins the other, at one instant, each with its part of the fee. */
  private async switch(tx: RequestContext, organizationId: string, plan: Plan): Promise<void> {
    const account = await this.periods.closeEnded(tx, await this.accounts.lock(tx, organizationId));
    const { now } = account;
    const period = periodOf(now);
    const ended = await this.fees.end(tx, account, period, now);
    const changed = { ...ended, plan, planSince: now };
    await this.accounts.save(tx, changed);
    await this.fees.begin(tx, changed, period, now);
  }
}
