export { BUDGET_ALERT, type BudgetAlert } from './budget-alert';
export { BillingOperations } from './billing-operations';
export { BillingModule } from './billing.module';
export { BillingService } from './billing.service';
export { type Plan, type PlanChange, type PlanGuard, PLANS } from './plan';
export { type Reservation } from './reservation';
export { MAX_TOP_UP_MICRO_USD } from './top-up';
