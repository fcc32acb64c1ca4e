/** The ways to pay a top-up: approved by an operator, or by Stripe Checkout. */
export const PAYMENT_PROVIDERS = ['manual', 'stripe'] as const;
export type PaymentProviderName = (typeof PAYMENT_PROVIDERS)[number];

export const TOP_UP_STATES = ['pending', 'paid'] as const;
export type TopUpState = (typeof TOP_UP_STATES)[number];

/** The largest payment that Stripe accepts, in micro-dollars. Sums of many payments stay exact as JSON numbers. */
export const MAX_TOP_UP_MICRO_USD = 999_999_990_000;

/** A purchase of credit. */
export interface TopUp {
  readonly id: string;
  readonly organizationId: string;
  readonly amountMicroUsd: bigint;
  readonly provider: PaymentProviderName;
  readonly state: TopUpState;
  /** The payment page. Null when an operator approves the top-up. */
  readonly checkoutUrl: string | null;
  readonly createdAt: Date;
  /** Null while the top-up is pending. */
  readonly paidAt: Date | null;
}
