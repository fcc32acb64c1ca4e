import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { until } from '../until';

export const WEBHOOK_SECRET = 'whsec_of_the_double';

/** A Checkout session that the double created. */
export interface DoubleSession {
  readonly id: string;
  readonly url: string;
  /** The organization's id. */
  readonly client_reference_id: string;
  readonly amount_total: number;
  readonly success_url: string;
  readonly cancel_url: string;
}

interface StoredResponse {
  readonly status: number;
  readonly body: object;
  /** The request. Stripe rejects another one with the same key. */
  readonly request: string;
  /** Whether it was sent before for the same idempotency key. */
  readonly replayed?: boolean;
}

const SERVER_ERROR = { error: { type: 'api_error', message: 'The double fails on request of the test.' } };
const MISMATCH = { error: { type: 'idempotency_error' } };
const INVALID = { error: { type: 'invalid_request_error' } };

/** A test double of the part of Stripe that top-ups use: creates Checkout sessions and signs notifications with Stripe's library. */
export class StripeDouble {
  readonly sessions: DoubleSession[] = [];
  /** Keyed by idempotency key. */
  private readonly responses = new Map<string, StoredResponse>();
  /** The number of the next requests that fail without an effect. */
  failures = 0;
  /** The number of the next idempotency keys that receive a server error, which is replayed for the key as by Stripe. */
  faults = 0;
  /** The number of the next responses that are lost. */
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
        const { status, body, replayed } = double.respond(headers, `${method} ${url}`, Buffer.concat(chunks));
        double.waiting++;
        void double.delay.then(() => {
          double.waiting--;
          if (double.losses-- > 0) return request.socket.destroy();
          const responseHeaders = {
            'Content-Type': 'application/json',
            ...(replayed && { 'Idempotent-Replayed': 'true' }),
          };
          return response.writeHead(status, responseHeaders).end(JSON.stringify(body));
        });
      });
    });
    return double;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  /** Executes requests but delays their responses until `work` ends. */
  async whileSlow(work: () => Promise<void>): Promise<void> {
    let release = (): void => undefined;
    this.delay = new Promise((resolve) => (release = resolve));
    try {
      await work();
    } finally {
      release();
    }
  }

  /** Waits until `count` requests wait for their response. */
  async receives(count: number): Promise<void> {
    await until(() => this.waiting >= count);
  }

  private respond(
    headers: NodeJS.Dict<string | string[]>,
    route: string,
    body: Buffer,
  ): Omit<StoredResponse, 'request'> {
    if (this.failures-- > 0) return { status: 500, body: SERVER_ERROR };
    if (headers.authorization !== 'Bearer sk_test_of_the_double') return { status: 401, body: INVALID };
    if (route !== 'POST /v1/checkout/sessions') return { status: 404, body: INVALID };
    const key = String(headers['idempotency-key']);
    const known = this.responses.get(key);
    const request = body.toString();
    if (known && known.request !== request) return { status: 400, body: MISMATCH };
    if (known) return { ...known, replayed: true };
    const response: StoredResponse =
      this.faults-- > 0
        ? { status: 500, body: SERVER_ERROR, request }
        : { status: 200, body: this.create(body), request };
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
      success_url: form.get('success_url') ?? '',
      cancel_url: form.get('cancel_url') ?? '',
      currency: form.get('line_items[0][price_data][currency]'),
    };
    this.sessions.push(session);
    return session;
  }

  /** The notification of a paid session. @param change fields of the session to replace. */
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
