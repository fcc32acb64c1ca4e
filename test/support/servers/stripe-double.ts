import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import Stripe from 'stripe';

export const WEBHOOK_SECRET = 'whsec_of_the_double';

/** A Checkout session as the double has made it. */
export interface DoubleSession {
  readonly id: string;
  readonly url: string;
  /** The organization's id. */
  readonly client_reference_id: string;
  readonly amount_total: number;
}

interface Answer {
  readonly status: number;
  readonly body: object;
  /** It was given before. */
  readonly repeated?: boolean;
}

const OUT_OF_ORDER = { error: { type: 'api_error', message: 'The double is out of order.' } };
const WRONG = { error: { type: 'invalid_request_error' } };

/** As much of Stripe as top-ups meet: makes Checkout sessions, and signs what it says about them with Stripe's own library. */
export class StripeDouble {
  readonly sessions: DoubleSession[] = [];
  /** By idempotency key. */
  private readonly answers = new Map<string, Answer>();
  /** How many requests it will refuse, as if they had never come, before it serves again. */
  failures = 0;
  /** How many new keys it will answer with a fault, and, as Stripe does, with the same whenever they come again. */
  faults = 0;
  /** How many answers will be lost on their way. */
  losses = 0;
  /** How many requests have come and wait for their answer. */
  waiting = 0;
  private patience = Promise.resolve();
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
        const { headers, method, url } = request;
        const answer = double.answer(headers, `${method} ${url}`, Buffer.concat(chunks));
        double.waiting++;
        void double.patience.then(() => {
          double.waiting--;
          if (double.losses-- > 0) return request.destroy();
          const { status, body, repeated } = answer;
          const heads = { 'Content-Type': 'application/json', ...(repeated && { 'Idempotent-Replayed': 'true' }) };
          return response.writeHead(status, heads).end(JSON.stringify(body));
        });
      });
    });
    return double;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  /** Does what it is asked, and is slow to say so: until the end of `work` nobody hears from it. */
  async whileSlow(work: () => Promise<void>): Promise<void> {
    let hurry = (): void => undefined;
    this.patience = new Promise((resolve) => (hurry = resolve));
    try {
      await work();
    } finally {
      hurry();
    }
  }

  /** Waits until so many requests wait for it. */
  async isAsked(times: number): Promise<void> {
    while (this.waiting < times) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  private answer(headers: NodeJS.Dict<string | string[]>, route: string, body: Buffer): Answer {
    if (this.failures-- > 0) return { status: 500, body: OUT_OF_ORDER };
    if (headers.authorization !== 'Bearer sk_test_of_the_double') return { status: 401, body: WRONG };
    if (route !== 'POST /v1/checkout/sessions') return { status: 404, body: WRONG };
    const key = String(headers['idempotency-key']);
    const known = this.answers.get(key);
    if (known) return { ...known, repeated: true };
    const answer = this.faults-- > 0 ? { status: 500, body: OUT_OF_ORDER } : { status: 200, body: this.create(body) };
    this.answers.set(key, answer);
    return answer;
  }

  private create(body: Buffer): DoubleSession {
    const form = new URLSearchParams(body.toString());
    const id = `cs_test_${randomUUID()}`;
    const session = {
      id,
      object: 'checkout.session',
      url: `https://checkout.example.com/${id}`,
      client_reference_id: form.get('client_reference_id') ?? '',
      amount_total: Number(form.get('line_items[0][price_data][unit_amount]')),
      currency: form.get('line_items[0][price_data][currency]'),
    };
    this.sessions.push(session);
    return session;
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
