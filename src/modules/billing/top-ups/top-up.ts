/** Who takes the money: an operator who approves, or Stripe. */
export const PAYMENT_PROVIDERS = ['manual', 'stripe'] as const;
export type PaymentProviderName = (typeof PAYMENT_PROVIDERS)[number];

export const TOP_UP_STATES = ['pending', 'paid'] as const;
export type TopUpState = (typeof TOP_UP_STATES)[number];

/** The largest sum of one payment, in micro-dollars: what Stripe takes at most. Sums of many of them stay exact as JSON numbers. */
export const MAX_TOP_UP_MICRO_USD = 999_999_990_000;

/** A request to buy credit. */
export interface TopUp {
  readonly id: string;
  readonly organizationId: string;
  readonly amountMicroUsd: bigint;
  readonly provider: PaymentProviderName;
  readonly state: TopUpState;
  /** Where it is paid; null: nowhere, an operator approves it. */
  readonly checkoutUrl: string | null;
  readonly createdAt: Date;
  readonly paidAt: Date | null;
}
