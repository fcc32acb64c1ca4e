import { type PaymentProviderName } from './top-up';

/** What is to be paid for. */
export interface PaymentOrder {
  /** The same when the same is asked for again: it then is the same payment. */
  readonly operation: string;
  /** Who pays. */
  readonly organizationId: string;
  readonly amountMicroUsd: bigint;
}

/** Where and under which name a payment has begun. */
export interface BegunPayment {
  /** What the provider calls it; null when it does not know of it yet. */
  readonly reference: string | null;
  /** Where the payer goes; null: nowhere. */
  readonly checkoutUrl: string | null;
}

/** Money that has arrived. */
export interface Payment {
  /** What the provider calls it: as it did when the payment began. */
  readonly reference: string;
  readonly amountMicroUsd: bigint;
  /** Who was to pay, as the provider was told when it began; null: it does not say. */
  readonly organizationId: string | null;
}

/** A message that claims to come from the provider. */
export interface Notification {
  /** As it came, byte for byte: what the signature is of. */
  readonly body: Buffer;
  readonly signature: string;
}

/** Who takes the money for top-ups. */
export abstract class PaymentProvider {
  abstract readonly name: PaymentProviderName;

  /**
   * Begins a payment, or finds the one that the same order has begun before. May take seconds: never in a transaction. Nothing is
   * lost when the top-up is not kept after all: nobody has heard where to pay, so it is never paid.
   * @throws AppError invalid_input for a sum that cannot be paid; storage_backend_unavailable when the provider is out of reach.
   */
  abstract begin(order: PaymentOrder): Promise<BegunPayment>;

  /**
   * What a notification says has been paid; null when it is about something else.
   * @throws AppError invalid_input when it is not the provider's; not_found when the provider sends none.
   */
  abstract paymentOf(notification: Notification): Payment | null;
}
