import { type RequestContext } from '#kernel/context/request-context';

/** What an organization pays for (specification §1). */
export const PLANS = ['team', 'business'] as const;
export type Plan = (typeof PLANS)[number];

/** Those that can be named; Enterprise is announced but unavailable. */
export const ANNOUNCED_PLANS = [...PLANS, 'enterprise'] as const;
export type AnnouncedPlan = (typeof ANNOUNCED_PLANS)[number];

/** How a plan is paid: out of credit, or by a statement at the end of the period. */
export const BILLING_MODES = ['prepaid', 'postpaid'] as const;
export type BillingMode = (typeof BILLING_MODES)[number];

export const modeOf = (plan: Plan): BillingMode => (plan === 'team' ? 'prepaid' : 'postpaid');

export interface PlanChange {
  readonly organizationId: string;
  readonly from: Plan;
  readonly to: Plan;
}

/**
 * Objects to a change of plan by throwing `dependency_exists`. It is asked in the transaction of the change, when nobody can
 * begin anything any more that asked `requirePlan` in a transaction of its own: what it counts is exact.
 */
export type PlanGuard = (ctx: RequestContext, change: PlanChange) => Promise<void>;

/** What a plan costs for a whole period, in micro-dollars (specification §1). */
export const PLAN_FEES: Readonly<Record<Plan, bigint>> = { team: 5_000_000n, business: 100_000_000n };
