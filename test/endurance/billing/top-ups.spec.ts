import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { type Response } from 'supertest';
import { Bearer, type Developer } from '../../support/actors/actors';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { lockWaiters } from '../../support/app/lock-waiters';
import { TestApp } from '../../support/app/test-app';
import { faultsOf } from '../../support/checks/billing-consistency';
import { ServerProcess } from '../../support/processes/server-process';
import { StripeDouble, WEBHOOK_SECRET } from '../../support/servers/stripe-double';
import { until } from '../../support/until';

jest.setTimeout(240_000);

/** On two real server processes that share a database. */
describe('a top-up by Stripe', () => {
  let double: StripeDouble;
  let environment: Record<string, string>;
  let app: TestApp;
  let servers: ServerProcess[];
  let ann: Developer;
  let organizationId: string;

  beforeAll(async () => {
    double = await StripeDouble.start();
    environment = {
      PAYMENT_PROVIDER: 'stripe',
      STRIPE_SECRET_KEY: 'sk_test_of_the_double',
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_API_BASE: double.url,
      ROLE: 'api',
    };
    app = await TestApp.start({ worker: false });
    servers = await Promise.all([ServerProcess.start(app, environment), ServerProcess.start(app, environment)]);
    ann = await verifiedDeveloper(app);
  });
  beforeEach(async () => {
    organizationId = (await ann.createsOrganization()).id;
  });
  afterEach(async () => expect(await faultsOf(app)).toEqual([]));
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.kill()));
    await app.stop();
    await double.stop();
  });

  const request = (n: number, key: string) =>
    new Bearer(servers[n % 2]!.url, ann.token)
      .post(`/organizations/${organizationId}/billing/top-ups`, { amount_micro_usd: 7_000_000 })
      .set('Idempotency-Key', key);
  /** Retries responses 503 and 409 with the same idempotency key, like a correct client. */
  const requestWithRetries = async (n: number, key: string): Promise<Response> => {
    for (;;) {
      const response = await request(n, key);
      if (response.status !== 503 && response.status !== 409) return response;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };
  const times = <T>(count: number, work: (n: number) => PromiseLike<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, n) => work(n)));
  /** The objects that were created for the organization, here and at Stripe. */
  const created = async (): Promise<object> => ({
    sessions: double.sessions.filter((session) => session.client_reference_id === organizationId).length,
    rows: (await app.sql('SELECT FROM top_up WHERE organization_id = $1', [organizationId])).length,
    events: await events('billing.top_up_requested'),
  });
  const events = async (type: string): Promise<number> =>
    (await app.sql('SELECT FROM audit_event WHERE type = $1 AND organization_id = $2', [type, organizationId])).length;

  // red when: the route is not @Idempotent
  it('is created once for 50 concurrent requests with one idempotency key, which all receive it, while Stripe is slow', async () => {
    const key = randomUUID();
    let pending: Promise<Response[]> = Promise.resolve([]);
    await double.whileSlow(async () => {
      pending = times(50, (n) => requestWithRetries(n, key));
      await double.receives(1);
    });
    const responses = await pending;
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(responses[0]!.status).toBe(201);
    expect(await created()).toEqual({ sessions: 1, rows: 1, events: 1 });
  });

  // red when: markPaid does not check for state = 'pending'
  it('is credited once for 50 concurrent notifications of its payment', async () => {
    await requestWithRetries(0, randomUUID());
    const session = double.sessions.find((other) => other.client_reference_id === organizationId)!;
    const statuses = await times(50, async (n) => {
      const { body, signature } = double.notification(session);
      const headers = { 'Content-Type': 'application/json', 'Stripe-Signature': signature };
      const path = '/api/v1/billing/webhooks/stripe';
      return (await fetch(servers[n % 2]!.url + path, { method: 'POST', headers, body })).status;
    });
    expect(new Set(statuses)).toEqual(new Set([204]));
    const { body } = await ann.get(`/organizations/${organizationId}/billing`).expect(200);
    expect((body as { balance_micro_usd: number }).balance_micro_usd).toBe(5_000_000 + 7_000_000);
    expect(await events('billing.top_up_paid')).toBe(1);
  });

  describe('when its server is killed', () => {
    /** Blocks a request at a point until `work` ends. `work` receives a function that waits until the request arrives there. */
    type Point = (work: (arrived: () => Promise<void>) => Promise<void>) => Promise<void>;
    const heldAt =
      (table: string): Point =>
      async (work) => {
        const client = new Client({ connectionString: app.database.ownerUrl });
        await client.connect();
        try {
          await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
          await work(async () => {
            const waits = `SELECT FROM ${lockWaiters(table)}`;
            await until(async () => (await app.sql(waits)).length !== 0);
          });
        } finally {
          await client.end();
        }
      };
    const POINTS: readonly (readonly [string, Point])[] = [
      ['during the call to Stripe', (work) => double.whileSlow(() => work(() => double.receives(1)))],
      ['after the response of Stripe, before the top-up is stored', heldAt('top_up')],
      ['after it is stored, before it is audited', heldAt('audit_event')],
    ];

    // red when: each attempt sends another idempotency key to Stripe, or the lease is never taken over
    it.each(POINTS)(
      '%s, finds its session and is stored once when the client retries after the lease',
      async (_name, hold) => {
        const key = randomUUID();
        await hold(async (arrived) => {
          const lost = request(0, key).then(
            () => 'completed',
            () => 'lost',
          );
          await arrived();
          await servers[0]!.kill();
          expect(await lost).toBe('lost');
        });
        expect(await created()).toEqual({ sessions: 1, rows: 0, events: 0 });
        servers[0] = await ServerProcess.start(app, environment);
        await app.clock.advance({ seconds: 31 });
        const late = await requestWithRetries(0, key);
        expect([late.status, late.headers['idempotency-replayed']]).toEqual([201, undefined]);
        expect((await requestWithRetries(1, key)).text).toBe(late.text);
        expect(await created()).toEqual({ sessions: 1, rows: 1, events: 1 });
      },
    );
  });
});
