export { BillingModule } from './billing.module';
export { BillingService } from './billing.service';
export { type Plan, PLANS } from './plan';
export { type Reservation } from './reservation';
