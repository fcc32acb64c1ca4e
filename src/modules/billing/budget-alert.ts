import { defineJob } from '#infra/jobs/job-kind';

/** A budget threshold that an organization's spending reached. Sums are decimal text in micro-dollars. */
export interface BudgetAlert {
  readonly organizationId: string;
  readonly period: string;
  readonly percent: number;
  readonly spent: string;
  readonly budget: string;
}

/** Mails the billing contacts. Handled in `organizations`, which knows them. */
export const BUDGET_ALERT = defineJob<BudgetAlert>('billing.budget-alert');
