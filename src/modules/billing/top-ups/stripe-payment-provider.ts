import Stripe from 'stripe';
import { AppError } from '#kernel/errors/app-error';
import { newId } from '#kernel/ids';
import {
  type CreatedPayment,
  type PaymentNotification,
  type PaymentOrder,
  PaymentProvider,
  type ReceivedPayment,
} from './payment-provider';
import { MAX_TOP_UP_MICRO_USD } from './top-up';

export interface StripeOptions {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** `https://api.stripe.com`, except in tests. */
  readonly apiBase: string;
  /** The page to which Stripe redirects the customer after checkout, and when they cancel it. All attempts of an order have the same page. */
  readonly returnUrlOf: (order: PaymentOrder) => string;
}

const MICRO_USD_PER_CENT = 10_000n;
/** Stripe's minimum for a payment in USD. */
const MIN_MICRO_USD = 500_000n;
const MAX_MICRO_USD = BigInt(MAX_TOP_UP_MICRO_USD);
/** For each attempt. There are two. */
const TIMEOUT_MS = 5_000;

const PAID_EVENTS = ['checkout.session.completed', 'checkout.session.async_payment_succeeded'];

/** Payments by Stripe Checkout: the customer pays on a page of Stripe, and Stripe notifies the webhook. */
export class StripePaymentProvider extends PaymentProvider {
  readonly name = 'stripe';
  private readonly stripe: Stripe;

  constructor(private readonly options: StripeOptions) {
    super();
    const { hostname, port, protocol } = new URL(options.apiBase);
    this.stripe = new Stripe(options.secretKey, {
      host: hostname,
      protocol: protocol === 'http:' ? 'http' : 'https',
      ...(port && { port }),
      timeout: TIMEOUT_MS,
      maxNetworkRetries: 1,
      telemetry: false,
    });
  }

  async createPayment(order: PaymentOrder): Promise<CreatedPayment> {
    requirePayable(order.amountMicroUsd);
    try {
      const session = await this.createSessionOnce(order);
      return { reference: session.id, checkoutUrl: session.url };
    } catch (cause) {
      throw unavailable(cause);
    }
  }

  private async createSessionOnce(order: PaymentOrder): Promise<Stripe.Checkout.Session> {
    try {
      return await this.createSession(order, order.operation);
    } catch (cause) {
      // Stripe replays its response to a key for a day, even a server error. A new key avoids a day of replayed errors.
      if (!isReplayed(cause)) throw cause;
      return this.createSession(order, newId());
    }
  }

  /** Stripe creates one session per idempotency key. */
  private createSession(order: PaymentOrder, idempotencyKey: string): Promise<Stripe.Checkout.Session> {
    const { organizationId, amountMicroUsd } = order;
    const returnUrl = this.options.returnUrlOf(order);
    const unitAmount = Number(amountMicroUsd / MICRO_USD_PER_CENT);
    const price = { currency: 'usd', unit_amount: unitAmount, product_data: { name: 'Agate credit' } };
    return this.stripe.checkout.sessions.create(
      {
        mode: 'payment',
        client_reference_id: organizationId,
        line_items: [{ quantity: 1, price_data: price }],
        success_url: returnUrl,
        cancel_url: returnUrl,
      },
      { idempotencyKey },
    );
  }

  receivedPayment({ body, signature }: PaymentNotification): ReceivedPayment | null {
    const event = this.verifiedEvent(body, signature);
    if (!PAID_EVENTS.includes(event.type)) return null;
    const session = event.data.object as Stripe.Checkout.Session;
    const { id: reference, amount_total: cents, payment_status: status, currency } = session;
    if (status !== 'paid' || currency !== 'usd' || !cents) return null;
    const amountMicroUsd = BigInt(cents) * MICRO_USD_PER_CENT;
    return { reference, amountMicroUsd, organizationId: session.client_reference_id };
  }

  private verifiedEvent(body: Buffer, signature: string): Stripe.Event {
    try {
      return this.stripe.webhooks.constructEvent(body, signature, this.options.webhookSecret);
    } catch (cause) {
      throw new AppError('invalid_input', {
        message: 'The signature does not match the webhook secret. Check the secret in Stripe and in this service.',
        details: { reason: 'bad_signature' },
        cause,
      });
    }
  }
}

function requirePayable(amountMicroUsd: bigint): void {
  const isWholeCents = amountMicroUsd % MICRO_USD_PER_CENT === 0n;
  if (isWholeCents && amountMicroUsd >= MIN_MICRO_USD && amountMicroUsd <= MAX_MICRO_USD) return;
  throw AppError.invalidInput(
    'amount_not_payable',
    'This amount cannot be paid. Choose whole cents, from 0.50 USD (500000 micro-dollars) to 999999.99 USD.',
  );
}

const isReplayed = (cause: unknown): boolean =>
  cause instanceof Stripe.errors.StripeError && cause.headers?.['idempotent-replayed'] === 'true';

const unavailable = (cause: unknown): AppError =>
  new AppError('storage_backend_unavailable', {
    message: 'The payment provider is unavailable. Nothing was changed. Retry shortly.',
    cause,
  });
