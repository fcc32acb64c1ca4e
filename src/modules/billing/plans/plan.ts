import { defineJob } from '#infra/jobs/job-kind';

/**
 * A budget threshold that an organization reached with its spending and its open reservations, together in `spent`. Sums are decimal text
 * in micro-dollars.
 */
export interface BudgetAlert {
  readonly organizationId: string;
  readonly period: string;
  readonly percent: number;
  readonly spent: string;
  readonly budget: string;
}

/** Mails the billing contacts. Handled in `organizations`, which knows them. */
export const BUDGET_ALERT = defineJob<BudgetAlert>('billing.budget-alert', { jobClass: 'mail' });

/** The plans that an organization can be on. */
export const PLANS = ['team', 'business'] as const;
export type Plan = (typeof PLANS)[number];

/** The plans that a request may name. Enterprise is announced, but not available. */
export const ANNOUNCED_PLANS = [...PLANS, 'enterprise'] as const;
export type AnnouncedPlan = (typeof ANNOUNCED_PLANS)[number];

/** The payment of a plan: from credit, or by a statement at the end of the period. */
export const BILLING_MODES = ['prepaid', 'postpaid'] as const;
export type BillingMode = (typeof BILLING_MODES)[number];

export const modeOf = (plan: Plan): BillingMode => (plan === 'team' ? 'prepaid' : 'postpaid');

/** The spending cap that an organization gets with a plan. Without a cap, a postpaid one could use any amount before its first statement. */
export const firstCapOf = (
  plan: Plan,
  { isMetered, businessSpendCapMicroUsd }: { readonly isMetered: boolean; readonly businessSpendCapMicroUsd: number },
): bigint | null => (modeOf(plan) === 'postpaid' && isMetered ? BigInt(businessSpendCapMicroUsd) : null);

/** A feature that not every plan includes. Modules check it with `requirePlan`. */
export const PLAN_FEATURE_NAMES = ['channels', 'own_storage'] as const;
export type PlanFeature = (typeof PLAN_FEATURE_NAMES)[number];

export const PLAN_FEATURES: Readonly<Record<Plan, readonly PlanFeature[]>> = {
  team: [],
  business: PLAN_FEATURE_NAMES,
};

export interface PlanChange {
  readonly organizationId: string;
  readonly from: Plan;
  readonly to: Plan;
}

/** The flat fee of a plan for a whole period, in micro-dollars. */
export const PLAN_FEES: Readonly<Record<Plan, bigint>> = { team: 5_000_000n, business: 100_000_000n };
