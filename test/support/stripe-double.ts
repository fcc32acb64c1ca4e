import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import Stripe from 'stripe';

export const WEBHOOK_SECRET = 'whsec_of_the_double';

/** A Checkout session as the double has made it. */
export interface DoubleSession {
  readonly id: string;
  readonly url: string;
  readonly client_reference_id: string;
  readonly amount_total: number;
}

/** As much of Stripe as top-ups meet: makes Checkout sessions, and signs what it says about them with Stripe's own library. */
export class StripeDouble {
  readonly sessions: DoubleSession[] = [];
  /** By idempotency key. */
  private readonly answers = new Map<string, DoubleSession>();
  /** How many requests it will refuse before it serves again. */
  failures = 0;
  private readonly stripe = new Stripe('sk_test_of_the_double');

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<StripeDouble> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const double = new StripeDouble(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const [status, body] = double.answer(
          request.headers,
          `${request.method} ${request.url}`,
          Buffer.concat(chunks),
        );
        response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
      });
    });
    return double;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private answer(headers: NodeJS.Dict<string | string[]>, route: string, body: Buffer): [number, object] {
    if (this.failures-- > 0) return [500, { error: { type: 'api_error', message: 'The double is out of order.' } }];
    if (headers.authorization !== 'Bearer sk_test_of_the_double')
      return [401, { error: { type: 'invalid_request_error' } }];
    if (route !== 'POST /v1/checkout/sessions') return [404, { error: { type: 'invalid_request_error' } }];
    const form = new URLSearchParams(body.toString());
    const key = String(headers['idempotency-key']);
    const known = this.answers.get(key);
    if (known) return [200, known];
    const id = `cs_test_${randomUUID()}`;
    const session = {
      id,
      object: 'checkout.session',
      url: `https://checkout.example.com/${id}`,
      client_reference_id: form.get('client_reference_id') ?? '',
      amount_total: Number(form.get('line_items[0][price_data][unit_amount]')),
      currency: form.get('line_items[0][price_data][currency]'),
    };
    this.answers.set(key, session);
    this.sessions.push(session);
    return [200, session];
  }

  /** What Stripe would send once a session is paid, or as `change` has it. */
  notification(
    session: DoubleSession,
    change: object = {},
    secret = WEBHOOK_SECRET,
  ): { body: string; signature: string } {
    const body = JSON.stringify({
      id: `evt_${randomUUID()}`,
      object: 'event',
      type: 'checkout.session.completed',
      data: { object: { ...session, payment_status: 'paid', ...change } },
    });
    return { body, signature: this.stripe.webhooks.generateTestHeaderString({ payload: body, secret }) };
  }
}
