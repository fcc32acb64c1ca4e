import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { LedgerService } from '../ledger/ledger.service';
import { type Grant } from '../ledger/ledger-entry';
import { type Plan } from '../plans/plan';
import { PlansService } from '../plans/plans.service';
import { type TopUp } from '../top-ups/top-up';
import { TopUpPaymentsService } from '../top-ups/top-up-payments.service';
import { TopUpsService } from '../top-ups/top-ups.service';
import { BillingAccountsService, type BillingAccountView } from './billing-accounts.service';
import { BillingCheckService } from './billing-check.service';
import { type BillingFault } from './billing-faults';

/** The interface of billing for operators. Every change is audited with the operator's name, from the context. */
@Injectable()
export class OperatorBillingService {
  constructor(
    private readonly accounts: BillingAccountsService,
    private readonly plans: PlansService,
    private readonly ledger: LedgerService,
    private readonly topUps: TopUpsService,
    private readonly payments: TopUpPaymentsService,
    private readonly check: BillingCheckService,
  ) {}

  /** @throws AppError permission_denied when the organization does not exist, like every method here with an organization. */
  show(ctx: RequestContext, organizationId: string): Promise<BillingAccountView> {
    return this.accounts.view(ctx, organizationId);
  }

  /** The pending top-ups, oldest first, at most a thousand. */
  pendingTopUps(ctx: RequestContext): Promise<readonly TopUp[]> {
    return this.topUps.findPending(ctx);
  }

  /** Books a payment that the operator received. @throws AppError not_found; already_exists when the top-up is already paid. */
  approveTopUp(ctx: RequestContext, topUpId: string): Promise<TopUp> {
    return this.payments.approve(ctx, topUpId);
  }

  /** Grants credit, or with a negative amount takes it back. @throws AppError already_exists when the reference is in use. */
  grantCredit(ctx: RequestContext, organizationId: string, grant: Grant): Promise<void> {
    return this.ledger.grant(ctx, organizationId, grant);
  }

  /**
   * @param spendCapMicroUsd `null` removes the cap.
   * @throws AppError operation_not_allowed for a cap on a prepaid plan.
   */
  async setSpendCap(ctx: RequestContext, organizationId: string, spendCapMicroUsd: bigint | null): Promise<void> {
    await this.accounts.update(ctx, organizationId, { spendCapMicroUsd });
  }

  /** @throws AppError dependency_exists when the organization uses a feature of its current plan. */
  async setPlan(ctx: RequestContext, organizationId: string, plan: Plan): Promise<void> {
    await this.plans.change(ctx, organizationId, plan);
  }

  /** Ids of the organizations on the business plan without a spend cap. */
  findWithoutCap(ctx: RequestContext): Promise<readonly string[]> {
    return this.accounts.findWithoutCap(ctx);
  }

  /** Sets whether the plan's fee is charged from now on. Fees that are already charged are not refunded. */
  waiveFee(ctx: RequestContext, organizationId: string, waived: boolean): Promise<void> {
    return this.accounts.waiveFee(ctx, organizationId, waived);
  }

  /** Checks the billing data of all organizations. @returns the faults. */
  selfCheck(ctx: RequestContext): Promise<readonly BillingFault[]> {
    return this.check.run(ctx);
  }
}
