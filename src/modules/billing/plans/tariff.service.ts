import { Injectable } from '@nestjs/common';
import { type Prices } from '#kernel/billing/pricing';
import { BillingConfig, PaymentConfig } from '#infra/config/config';
import { type PaymentProviderName } from '../top-ups/top-up';
import { FeesService } from './fees.service';
import { type BillingMode, firstCapOf, modeOf, type Plan, PLAN_FEATURES, type PlanFeature, PLANS } from './plan';
import { PricesService } from './prices.service';

/** A plan as an organization can choose it. */
export interface PlanOffer {
  readonly plan: Plan;
  readonly mode: BillingMode;
  /** For a whole period, in micro-dollars; zero while billing is off. */
  readonly feeMicroUsd: bigint;
  /** The spending cap that an organization gets with the plan. Null when there is none. */
  readonly firstSpendCapMicroUsd: bigint | null;
  readonly features: readonly PlanFeature[];
}

/** The prices of the service, and how organizations pay. */
export interface Tariff {
  readonly billing: 'metered' | 'off';
  readonly paymentProvider: PaymentProviderName;
  readonly plans: readonly PlanOffer[];
  readonly prices: Prices;
}

@Injectable()
export class TariffService {
  /** Equal for all organizations. While billing is off, every plan has every feature. */
  readonly current: Tariff;

  constructor(fees: FeesService, { all: prices }: PricesService, config: BillingConfig, payment: PaymentConfig) {
    const plans = PLANS.map((plan) => ({
      plan,
      mode: modeOf(plan),
      feeMicroUsd: fees.feeOf({ plan, feeWaived: false }),
      firstSpendCapMicroUsd: firstCapOf(plan, config),
      features: PLAN_FEATURES[config.isMetered ? plan : 'business'],
    }));
    this.current = { billing: config.billing, paymentProvider: payment.provider, plans, prices };
  }
}
