import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { BillingAccountsService, type AccountView } from './accounts/billing-accounts.service';
import { type BillingFault } from './consistency-check/billing-check.repository';
import { BillingCheck } from './consistency-check/billing-check';
import { BillingOverrides, type Grant } from './billing-overrides';
import { type Plan } from './plans/plan';
import { PlansService } from './plans/plans.service';
import { type TopUp } from './top-ups/top-up';
import { TopUpPayments } from './top-ups/top-up-payments';
import { TopUpsService } from './top-ups/top-ups.service';

/** All that an operator's command line wants of billing. The context carries who it is. */
@Injectable()
export class OperatorBillingService {
  constructor(
    private readonly accounts: BillingAccountsService,
    private readonly plans: PlansService,
    private readonly topUps: TopUpsService,
    private readonly payments: TopUpPayments,
    private readonly overrides: BillingOverrides,
    private readonly check: BillingCheck,
  ) {}

  show(ctx: RequestContext, organizationId: string): Promise<AccountView> {
    return this.accounts.view(ctx, organizationId);
  }

  /** Top-ups that are not paid, oldest first, at most a thousand. */
  pendingTopUps(ctx: RequestContext): Promise<readonly TopUp[]> {
    return this.topUps.findPending(ctx);
  }

  /** The money has come. @throws AppError not_found; already_exists when it was paid before. */
  approveTopUp(ctx: RequestContext, topUpId: string): Promise<TopUp> {
    return this.payments.approve(ctx, topUpId);
  }

  /** Gives credit, or with an amount below zero takes it back. @throws AppError already_exists for a reference used before. */
  grantCredit(ctx: RequestContext, organizationId: string, grant: Grant): Promise<void> {
    return this.overrides.grant(ctx, organizationId, grant);
  }

  /** @param spendCapMicroUsd null: none. */
  async setSpendCap(ctx: RequestContext, organizationId: string, spendCapMicroUsd: bigint | null): Promise<void> {
    await this.accounts.change(ctx, organizationId, { spendCapMicroUsd });
  }

  /** Under the same rules as its members. @throws AppError dependency_exists */
  async setPlan(ctx: RequestContext, organizationId: string, plan: Plan): Promise<void> {
    await this.plans.change(ctx, organizationId, plan);
  }

  /** Whether the plan's fee is charged from now on; what was charged stays. */
  waiveFee(ctx: RequestContext, organizationId: string, waived: boolean): Promise<void> {
    return this.overrides.waiveFee(ctx, organizationId, waived);
  }

  /** Proves that the books balance. @returns what does not, of all organizations. */
  selfCheck(ctx: RequestContext): Promise<readonly BillingFault[]> {
    return this.check.run(ctx);
  }
}
