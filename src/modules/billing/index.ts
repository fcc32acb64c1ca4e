export { BILLING_FILES, BillingErasure } from './billing.account-data';
export { BILLING_NOTICE, type BillingNotice } from './notices/billing-notice';
export { BUDGET_ALERT, type BudgetAlert } from './plans/plan';
export { OperatorBillingService } from './operator-billing.service';
export { BillingModule } from './billing.module';
export { BillingService } from './billing.service';
export { type Plan, type PlanChange, PLANS } from './plans/plan';
export { type Reservation } from './reservations/reservation';
export { MAX_TOP_UP_MICRO_USD } from './top-ups/top-up';
