import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { type Response } from 'supertest';
import { Bearer, type Developer } from '../support/actors/actors';
import { faultsOf } from '../support/checks/billing-consistency';
import { ServerProcess } from '../support/processes/server-process';
import { StripeDouble, WEBHOOK_SECRET } from '../support/servers/stripe-double';
import { verifiedDeveloper } from '../support/actors/tenant';
import { TestApp } from '../support/app/test-app';

jest.setTimeout(240_000);

/** Top-ups by Stripe on two real server processes that share a database (reliability E1, E5, F12). */
describe('top-ups by Stripe', () => {
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

  const ask = (n: number, key: string) =>
    new Bearer(servers[n % 2]!.url, ann.token)
      .post(`/organizations/${organizationId}/billing/top-ups`, { amount_micro_usd: 7_000_000 })
      .set('Idempotency-Key', key);
  /** As a good client does: what is to be tried again is, with the same key. */
  const insist = async (n: number, key: string): Promise<Response> => {
    for (;;) {
      const answer = await ask(n, key);
      if (answer.status !== 503 && answer.status !== 409) return answer;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };
  const times = <T>(count: number, work: (n: number) => PromiseLike<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, n) => work(n)));
  /** What there is of this organization's, here and at Stripe. */
  const made = async (): Promise<object> => ({
    sessions: double.sessions.filter((session) => session.client_reference_id === organizationId).length,
    rows: (await app.sql('SELECT FROM top_up WHERE organization_id = $1', [organizationId])).length,
    events: await events('billing.top_up_requested'),
  });
  const events = async (type: string): Promise<number> =>
    (await app.sql('SELECT FROM audit_event WHERE type = $1 AND organization_id = $2', [type, organizationId])).length;

  // red when: the route is not @Idempotent
  it('E1, F12: of 50 parallel requests with one key one is made, and all hear of it, however slow Stripe is', async () => {
    const key = randomUUID();
    let asked: Promise<Response[]> = Promise.resolve([]);
    await double.whileSlow(async () => {
      asked = times(50, (n) => insist(n, key));
      await double.isAsked(1);
    });
    const answers = await asked;
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]!.status).toBe(201);
    expect(await made()).toEqual({ sessions: 1, rows: 1, events: 1 });
  });

  // red when: markPaid does not ask for state = 'pending'
  it('F12: 50 parallel notices of one payment credit it once', async () => {
    await insist(0, randomUUID());
    const session = double.sessions.find((other) => other.client_reference_id === organizationId)!;
    const heard = await times(50, async (n) => {
      const { body, signature } = double.notification(session);
      const headers = { 'Content-Type': 'application/json', 'Stripe-Signature': signature };
      const path = '/api/v1/billing/webhooks/stripe';
      return (await fetch(servers[n % 2]!.url + path, { method: 'POST', headers, body })).status;
    });
    expect(new Set(heard)).toEqual(new Set([204]));
    const { body } = await ann.get(`/organizations/${organizationId}/billing`).expect(200);
    expect((body as { balance_micro_usd: number }).balance_micro_usd).toBe(5_000_000 + 7_000_000);
    expect(await events('billing.top_up_paid')).toBe(1);
  });

  describe('E5: killed', () => {
    /** Holds whoever tops up at a point until `work` is done, which waits for their arrival. */
    type Point = (work: (arrived: () => Promise<void>) => Promise<void>) => Promise<void>;
    const heldAt =
      (table: string): Point =>
      async (work) => {
        const client = new Client({ connectionString: app.database.ownerUrl });
        await client.connect();
        try {
          await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
          await work(async () => {
            const waits = `SELECT FROM pg_locks WHERE NOT granted AND relation = '${table}'::regclass
              AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
            while ((await app.sql(waits)).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
          });
        } finally {
          await client.end();
        }
      };
    const POINTS: readonly (readonly [string, Point])[] = [
      ['while Stripe is asked', (work) => double.whileSlow(() => work(() => double.isAsked(1)))],
      ['after Stripe has answered, before the top-up is kept', heldAt('top_up')],
      ['after it is kept, before it is recorded', heldAt('audit_event')],
    ];

    // red when: Stripe is asked with a key of the attempt's, or a claim is never taken over
    it.each(POINTS)('%s: a retry after the lease finds the session, and makes all else, once', async (_name, hold) => {
      const key = randomUUID();
      await hold(async (arrived) => {
        const lost = ask(0, key).then(
          () => 'answered',
          () => 'lost',
        );
        await arrived();
        await servers[0]!.kill();
        expect(await lost).toBe('lost');
      });
      expect(await made()).toEqual({ sessions: 1, rows: 0, events: 0 });
      servers[0] = await ServerProcess.start(app, environment);
      await app.clock.advance({ seconds: 31 });
      const late = await insist(0, key);
      expect([late.status, late.headers['idempotency-replayed']]).toEqual([201, undefined]);
      expect((await insist(1, key)).text).toBe(late.text);
      expect(await made()).toEqual({ sessions: 1, rows: 1, events: 1 });
    });
  });
});
