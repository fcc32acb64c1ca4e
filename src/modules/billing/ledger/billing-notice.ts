import { defineJob } from '#infra/jobs/job-kind';

/** A fee or the storage of an organization has used up what was available for transfers. Sums are decimal text in micro-dollars. */
export interface ExhaustedNotice {
  readonly kind: 'exhausted';
  readonly organizationId: string;
  readonly cause: 'fee' | 'storage';
  /** The month of the charge. */
  readonly period: string;
  readonly chargeMicroUsd: string;
  readonly balanceMicroUsd: string;
  /** Null on a prepaid plan. */
  readonly spendCapMicroUsd: string | null;
}

/** The balance of an organization does not outlast the fee of the coming month. Sums are decimal text in micro-dollars. */
export interface FeeNotice {
  readonly kind: 'fee-not-covered';
  readonly organizationId: string;
  /** The coming month. */
  readonly period: string;
  readonly feeMicroUsd: string;
  readonly balanceMicroUsd: string;
}

export type BillingNotice = ExhaustedNotice | FeeNotice;

/** Mails the billing contacts. Handled in `organizations`, which knows them. */
export const BILLING_NOTICE = defineJob<BillingNotice>('billing.notice', { jobClass: 'mail' });
