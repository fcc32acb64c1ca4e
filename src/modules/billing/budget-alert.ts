import { defineJob } from '#infra/jobs/job-kind';

/** A threshold of an organization's budget that has been reached. Sums are decimal texts in micro-dollars. */
export interface BudgetAlert {
  readonly organizationId: string;
  readonly period: string;
  readonly percent: number;
  readonly spent: string;
  readonly budget: string;
}

/** Tells those who pay. Done by the module that knows who they are. */
export const BUDGET_ALERT = defineJob<BudgetAlert>('billing.budget-alert');
