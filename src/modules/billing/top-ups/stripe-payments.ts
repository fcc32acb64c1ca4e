import Stripe from 'stripe';
import { AppError } from '#kernel/errors/app-error';
import { newId } from '#kernel/ids';
import {
  type BegunPayment,
  type Notification,
  type Payment,
  type PaymentOrder,
  PaymentProvider,
} from './payment-provider';
import { MAX_TOP_UP_MICRO_USD } from './top-up';

export interface StripeOptions {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** `https://api.stripe.com`, but for tests. */
  readonly apiBase: string;
  /** Where Stripe sends the payer afterwards. */
  readonly returnUrl: string;
}

const MICRO_PER_CENT = 10_000n;
/** What Stripe takes at least in one payment in USD. */
const LEAST = 500_000n;
const MOST = BigInt(MAX_TOP_UP_MICRO_USD);
/** Each attempt's; there are two. */
const TIMEOUT_MS = 5_000;

const PAID = ['checkout.session.completed', 'checkout.session.async_payment_succeeded'];

/** Stripe Checkout: the payer goes to a page of Stripe's, and Stripe says when the money is there. */
export class StripePayments extends PaymentProvider {
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

  async begin(order: PaymentOrder): Promise<BegunPayment> {
    requirePayable(order.amountMicroUsd);
    try {
      const session = await this.sessionOf(order);
      return { reference: session.id, checkoutUrl: session.url };
    } catch (cause) {
      throw unavailable(cause);
    }
  }

  private async sessionOf(order: PaymentOrder): Promise<Stripe.Checkout.Session> {
    try {
      return await this.createSession(order, order.operation);
    } catch (cause) {
      // What it once answered to a key, Stripe repeats for a day, be it a fault of its own. A retry must not hear that for a day.
      if (!isRepeated(cause)) throw cause;
      return this.createSession(order, newId());
    }
  }

  /** Stripe makes one for a key, however often it is asked. */
  private createSession(
    { organizationId, amountMicroUsd }: PaymentOrder,
    idempotencyKey: string,
  ): Promise<Stripe.Checkout.Session> {
    const { returnUrl } = this.options;
    const unitAmount = Number(amountMicroUsd / MICRO_PER_CENT);
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

  paymentOf({ body, signature }: Notification): Payment | null {
    const event = this.verified(body, signature);
    if (!PAID.includes(event.type)) return null;
    const session = event.data.object as Stripe.Checkout.Session;
    const { id: reference, amount_total: cents, payment_status: status, currency } = session;
    if (status !== 'paid' || currency !== 'usd' || !cents) return null;
    const amountMicroUsd = BigInt(cents) * MICRO_PER_CENT;
    return { reference, amountMicroUsd, organizationId: session.client_reference_id };
  }

  private verified(body: Buffer, signature: string): Stripe.Event {
    try {
      return this.stripe.webhooks.constructEvent(body, signature, this.options.webhookSecret);
    } catch (cause) {
      throw new AppError('invalid_input', {
        message: 'This is not signed with the secret of the webhook.',
        details: { reason: 'bad_signature' },
        cause,
      });
    }
  }
}

function requirePayable(amountMicroUsd: bigint): void {
  if (amountMicroUsd % MICRO_PER_CENT === 0n && amountMicroUsd >= LEAST && amountMicroUsd <= MOST) return;
  throw AppError.invalidInput(
    'amount_not_payable',
    'Pay whole cents, from 0.50 to 999999.99 USD (500000 micro-dollars).',
  );
}

const isRepeated = (cause: unknown): boolean =>
  cause instanceof Stripe.errors.StripeError && cause.headers?.['idempotent-replayed'] === 'true';

const unavailable = (cause: unknown): AppError =>
  new AppError('storage_backend_unavailable', {
    message: 'The payment provider cannot be reached at the moment. Nothing was changed; try again shortly.',
    cause,
  });
