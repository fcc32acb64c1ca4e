import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import Stripe from 'stripe';

export const WEBHOOK_SECRET = 'whsec_of_the_double';

/** A Checkout session that the double has created. */
export interface DoubleSession {
  readonly id: string;
  readonly url: string;
  /** The organization's id. */
  readonly client_reference_id: string;
  readonly amount_total: number;
}

interface DoubleResponse {
  readonly status: number;
  readonly body: object;
  /** Whether this replays an earlier response. */
  readonly repeated?: boolean;
}

const OUT_OF_ORDER = { error: { type: 'api_error', message: 'The double is out of order.' } };
const WRONG = { error: { type: 'invalid_request_error' } };

/** The part of Stripe that top-ups use: creates Checkout sessions, and signs webhook notifications with Stripe's own library. */
export class StripeDouble {
  readonly sessions: DoubleSession[] = [];
  /** Responses by idempotency key. */
  private readonly responses = new Map<string, DoubleResponse>();
  /** The number of coming requests that fail with 500 and have no effect. */
  failures = 0;
  /** The number of new idempotency keys that get a 500; as Stripe does, the double repeats that response for the key. */
  faults = 0;
  /** The number of coming responses that are lost. */
  losses = 0;
  /** The number of requests that wait for their response. */
  waiting = 0;
  private delay = Promise.resolve();
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
        const { status, body, repeated } = double.respond(headers, `${method} ${url}`, Buffer.concat(chunks));
        double.waiting++;
        void double.delay.then(() => {
          double.waiting--;
          if (double.losses-- > 0) return request.destroy();
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

  /** Delays every response until `work` ends; requests take effect at once. */
  async whileSlow(work: () => Promise<void>): Promise<void> {
    let release = (): void => undefined;
    this.delay = new Promise((resolve) => (release = resolve));
    try {
      await work();
    } finally {
      release();
    }
  }

  /** Resolves when at least `times` requests wait for their response. */
  async isAsked(times: number): Promise<void> {
    while (this.waiting < times) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  private respond(headers: NodeJS.Dict<string | string[]>, route: string, body: Buffer): DoubleResponse {
    if (this.failures-- > 0) return { status: 500, body: OUT_OF_ORDER };
    if (headers.authorization !== 'Bearer sk_test_of_the_double') return { status: 401, body: WRONG };
    if (route !== 'POST /v1/checkout/sessions') return { status: 404, body: WRONG };
    const key = String(headers['idempotency-key']);
    const known = this.responses.get(key);
    if (known) return { ...known, repeated: true };
    const response = this.faults-- > 0 ? { status: 500, body: OUT_OF_ORDER } : { status: 200, body: this.create(body) };
    this.responses.set(key, response);
    return response;
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

  /** The webhook notification of a paid session. @param change overrides fields of the session. */
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
