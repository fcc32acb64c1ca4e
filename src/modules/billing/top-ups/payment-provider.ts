import { AppError } from '#kernel/errors/app-error';
import { type PaymentProviderName } from './top-up';

/** A payment to create. */
export interface PaymentOrder {
  /** Idempotency key: retries of one request have the same key, so that the provider creates one payment. */
  readonly operation: string;
  readonly organizationId: string;
  /** The top-up that the payment is for. All orders of one operation have the same top-up. */
  readonly topUpId: string;
  readonly amountMicroUsd: bigint;
}

/** A payment that was created and is not paid yet. */
export interface CreatedPayment {
  /** The provider's id of the payment. Null when the provider does not know the payment yet. */
  readonly reference: string | null;
  /** The page where the customer pays. Null when there is none. */
  readonly checkoutUrl: string | null;
}

/** A payment that was received. */
export interface ReceivedPayment {
  /** The provider's id of the payment. */
  readonly reference: string;
  readonly amountMicroUsd: bigint;
  /** The organization that the payment was created for. Null when the provider does not report it. */
  readonly organizationId: string | null;
}

/** A webhook request that claims to come from the provider. */
export interface PaymentNotification {
  /** The unparsed body, which the signature covers. */
  readonly body: Buffer;
  readonly signature: string;
}

/** Creates the payments for top-ups and verifies the provider's notifications. */
export abstract class PaymentProvider {
  abstract readonly name: PaymentProviderName;

  /**
   * Creates a payment, or finds the payment that an earlier attempt with the same order created. Can take seconds, so never call it
   * in a transaction. A payment that is not stored afterwards costs nothing: the customer never receives its URL.
   * @throws AppError invalid_input for an amount that cannot be paid; storage_backend_unavailable when the provider is unavailable.
   */
  abstract createPayment(order: PaymentOrder): Promise<CreatedPayment>;

  /**
   * The received payment that a notification reports. Null when the notification is about something else.
   * @throws AppError invalid_input when the signature is wrong; not_found when the provider sends no notifications.
   */
  abstract receivedPayment(notification: PaymentNotification): ReceivedPayment | null;
}

/** For payments outside this service, such as bank transfers. The top-up stays pending until an operator approves it. */
export class ManualPaymentProvider extends PaymentProvider {
  readonly name = 'manual';

  createPayment(): Promise<CreatedPayment> {
    return Promise.resolve({ reference: null, checkoutUrl: null });
  }

  receivedPayment(): ReceivedPayment | null {
    throw new AppError('not_found');
  }
}
