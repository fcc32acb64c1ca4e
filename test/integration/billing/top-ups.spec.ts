import { randomUUID } from 'node:crypto';
import { type Response } from 'supertest';
import { OperatorBillingService } from '#modules/billing';
import { describeTopUps, type TopUpBody } from '../../suites/top-ups.suite';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { operator } from '../../support/checks/billing-consistency';
import { type DoubleSession, StripeDouble, WEBHOOK_SECRET } from '../../support/servers/stripe-double';

let double: StripeDouble;
beforeAll(async () => {
  double = await StripeDouble.start();
});
afterAll(() => double.stop());

const environment = (): Record<string, string> => ({
  PAYMENT_PROVIDER: 'stripe',
  STRIPE_SECRET_KEY: 'sk_test_of_the_double',
  STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  STRIPE_API_BASE: double.url,
});
const sessionOf = ({ checkout_url }: TopUpBody): DoubleSession =>
  double.sessions.find(({ url }) => url === checkout_url)!;
const notify = async (app: TestApp, { body, signature }: { body: string; signature: string }): Promise<Response> =>
  app.anonymous
    .post('/api/v1/billing/webhooks/stripe')
    .set('Content-Type', 'application/json')
    .set('Stripe-Signature', signature)
    .send(body);

describeTopUps('manual', () =>
  Promise.resolve({
    name: 'manual',
    environment: {},
    pay: (app, { id }) => app.nest.get(OperatorBillingService).approveTopUp(operator(app), id),
  }),
);

describeTopUps('stripe', () =>
  Promise.resolve({
    name: 'stripe',
    environment: environment(),
    pay: async (app, topUp) => expect((await notify(app, double.notification(sessionOf(topUp)))).status).toBe(204),
  }),
);

describe('the return address of a Stripe payment', () => {
  it.each<[string, Record<string, string>, (topUp: string) => string]>([
    ['the billing page of the dashboard', {}, (topUp) => `/billing?top_up=${topUp}`],
    ['BASE_URL without the dashboard', { DASHBOARD: 'false' }, () => 'http://localhost:3000'],
    ['STRIPE_RETURN_URL', { STRIPE_RETURN_URL: 'https://example.com/paid' }, () => 'https://example.com/paid'],
  ])('is %s', async (_name, settings, expected) => {
    const app = await TestApp.start({ environment: { ...environment(), ...settings } });
    const ann = await verifiedDeveloper(app);
    const { id } = await ann.createsOrganization();
    const { body } = await ann
      .post(`/organizations/${id}/billing/top-ups`, { amount_micro_usd: 1_000_000 })
      .expect(201);
    const topUp = body as TopUpBody;
    const { success_url: success, cancel_url: cancel } = sessionOf(topUp);
    const address = expected(topUp.id);
    expect(success).toBe(address.startsWith('/') ? `http://localhost:3000/o/${id}${address}` : address);
    expect(cancel).toBe(success);
    await app.stop();
  });
});

describe('the Stripe payment provider', () => {
  let app: TestApp;
  let organizationId: string;
  let path: string;
  let request: (amount: number, key?: string) => PromiseLike<Response>;
  let balance: () => Promise<number>;
  beforeAll(async () => {
    app = await TestApp.start({ environment: environment() });
    const ann = await verifiedDeveloper(app);
    organizationId = (await ann.createsOrganization()).id;
    path = `/organizations/${organizationId}/billing`;
    request = (amount, key = randomUUID()) =>
      ann.post(`${path}/top-ups`, { amount_micro_usd: amount }).set('Idempotency-Key', key);
    balance = async () => ((await ann.get(path).expect(200)).body as { balance_micro_usd: number }).balance_micro_usd;
  });
  afterAll(() => app.stop());

  // red when: the body is parsed and serialized before the signature is checked, or the secret is not used
  it('rejects a notification unless the secret signed exactly these bytes', async () => {
    const { body: topUp } = (await request(1_000_000)) as { body: TopUpBody };
    expect(sessionOf(topUp)).toMatchObject({ client_reference_id: organizationId, amount_total: 100 });
    const good = double.notification(sessionOf(topUp));
    const forged = [
      double.notification(sessionOf(topUp), {}, 'whsec_of_another_account'),
      { ...good, signature: '' },
      { ...good, signature: 't=1,v1=00' },
      { body: good.body.replace('1000000', '9000000').replace('100,', '900,'), signature: good.signature },
    ];
    for (const notification of forged) {
      const response = await notify(app, notification);
      expect([response.status, response.body]).toMatchObject([
        400,
        { error: 'invalid_input', details: { reason: 'bad_signature' } },
      ]);
    }
    expect(await balance()).toBe(5_000_000);
    expect((await notify(app, good)).status).toBe(204);
    expect(await balance()).toBe(6_000_000);
  });

  it('credits only a paid session in USD that it created', async () => {
    const before = await balance();
    const { body: topUp } = (await request(2_000_000)) as { body: TopUpBody };
    const session = sessionOf(topUp);
    for (const change of [
      { payment_status: 'unpaid' },
      { currency: 'jpy' },
      { id: 'cs_test_of_another_account' },
      { amount_total: null },
    ])
      expect((await notify(app, double.notification(session, change))).status).toBe(204);
    expect(await balance()).toBe(before);
    expect((await notify(app, double.notification(session))).status).toBe(204);
    expect(await balance()).toBe(before + 2_000_000);
  });

  // red when: a payment without a top-up is ignored silently, or the log line contains more than its reference
  it('logs an error without personal data for the payment of a deleted organization', async () => {
    const ann = await verifiedDeveloper(app);
    const { id } = await ann.createsOrganization();
    const { body: topUp } = await ann.post(`/organizations/${id}/billing/top-ups`, { amount_micro_usd: 7_000_000 });
    const session = sessionOf(topUp as TopUpBody);
    await ann.delete(`/organizations/${id}`).expect(204);
    const notification = double.notification(session, { customer_details: { email: 'payer@example.com' } });
    expect((await notify(app, notification)).status).toBe(204);
    const lines = app.logLines.filter((each) => each.includes(session.id));
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ level: 'error', reference: session.id, amountMicroUsd: 7_000_000, organizationId: id }),
    ]);
    expect(lines[0]).not.toContain('payer@');
  });

  it('rejects an amount that is not in whole cents', async () => {
    const response = await request(1_234_567);
    expect([response.status, response.body]).toMatchObject([
      400,
      { error: 'invalid_input', details: { reason: 'amount_not_payable' } },
    ]);
  });

  // red when: an error of the SDK is not mapped
  it('responds 503 and stores nothing while Stripe is unavailable, and retries one failure', async () => {
    const rows = () => app.sql('SELECT FROM top_up');
    const before = (await rows()).length;
    double.failures = 2;
    const response = await request(1_000_000);
    expect([response.status, response.body]).toMatchObject([503, { error: 'storage_backend_unavailable' }]);
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    expect(await rows()).toHaveLength(before);
    double.failures = 1;
    expect((await request(1_000_000)).status).toBe(201);
  });

  // red when: pending top-ups are never deleted; or paid ones, or younger ones, are
  it('deletes a top-up that is pending for 90 days', async () => {
    const ids: string[] = [];
    for (const _ of ['paid', 'old', 'young']) ids.push(((await request(1_000_000)).body as TopUpBody).id);
    const [paid, old, young] = ids;
    await app.nest.get(OperatorBillingService).approveTopUp(operator(app), paid!);
    await app.sql(`UPDATE top_up SET created_at = app_now() - interval '91 days' WHERE id = ANY ($1)`, [[paid, old]]);
    await app.sql(`UPDATE top_up SET created_at = app_now() - interval '89 days' WHERE id = $1`, [young]);
    await app.runsJob('billing.prune-top-ups');
    const kept = await app.sql<{ id: string }>('SELECT id FROM top_up WHERE id = ANY ($1) ORDER BY id', [ids]);
    expect(kept.map(({ id }) => id)).toEqual([paid, young].sort());
  });

  const sessionsMadeBy = async (work: () => Promise<void>): Promise<number> => {
    const before = double.sessions.length;
    await work();
    return double.sessions.length - before;
  };

  // red when: each attempt sends another idempotency key to Stripe
  it('finds the session that was created when the response of Stripe was lost and the client retries', async () => {
    const key = randomUUID();
    const made = await sessionsMadeBy(async () => {
      double.losses = 2;
      expect((await request(1_000_000, key)).status).toBe(503);
      expect((await request(1_000_000, key)).status).toBe(201);
    });
    expect(made).toBe(1);
  });

  // red when: a replayed error is not retried with a new key
  it('creates a session although Stripe replays an error for the idempotency key', async () => {
    const key = randomUUID();
    const made = await sessionsMadeBy(async () => {
      double.faults = 2;
      expect((await request(1_000_000, key)).status).toBe(503);
      expect((await request(1_000_000, key)).status).toBe(201);
    });
    expect(made).toBe(1);
  });

  // red when: uq_top_up_payment is missing
  it('rejects a second top-up for one session when only Stripe remembers the idempotency key', async () => {
    const key = randomUUID();
    const made = await sessionsMadeBy(async () => {
      expect((await request(1_000_000, key)).status).toBe(201);
      await app.sql('DELETE FROM idempotency_record');
      expect((await request(1_000_000, key)).body).toMatchObject({ error: 'already_exists' });
    });
    expect(made).toBe(1);
  });

  // red when: the key sent to Stripe does not depend on the body, or a failed request keeps its idempotency key
  it('accepts another amount with the idempotency key of a request that failed', async () => {
    const key = randomUUID();
    double.losses = 2;
    expect((await request(1_000_000, key)).status).toBe(503);
    const { status, body } = await request(2_000_000, key);
    expect([status, (body as TopUpBody).amount_micro_usd]).toEqual([201, 2_000_000]);
    expect(sessionOf(body as TopUpBody).amount_total).toBe(200);
  });

  /** Transactions that stay open for a second; those of the worker's jobs end within milliseconds. */
  const openTransactions = async (): Promise<object[]> => {
    for (let look = 0; ; look++) {
      const open = await app.sql(
        `SELECT query FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
      );
      if (open.length === 0 || look === 50) return open;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };

  // red when: the route is @Idempotent() without `streams`, so that its transaction holds a connection during the call to Stripe
  it('holds no transaction open while Stripe is slow, so that a pool of two serves other requests', async () => {
    const small = await TestApp.start({
      beside: app,
      environment: { ...environment(), DATABASE_POOL_SIZE: '2' },
      worker: false,
    });
    try {
      const ann = await verifiedDeveloper(small);
      const { id } = await ann.createsOrganization();
      const retries = async (key: string): Promise<Response> => {
        for (;;) {
          const response = await ann
            .post(`/organizations/${id}/billing/top-ups`, { amount_micro_usd: 1_000_000 })
            .set('Idempotency-Key', key);
          if (response.status !== 503) return response;
        }
      };
      let pending: Promise<Response>[] = [];
      await double.whileSlow(async () => {
        pending = [retries(randomUUID()), retries(randomUUID())];
        await double.receives(2);
        expect(await openTransactions()).toEqual([]);
        for (let n = 0; n < 5; n++) await ann.get(`/organizations/${id}/billing`).expect(200);
      });
      expect((await Promise.all(pending)).map(({ status }) => status)).toEqual([201, 201]);
    } finally {
      await small.stop();
    }
  });

  it('responds 404 to a notification when the payment provider is manual', async () => {
    const manual = await TestApp.start({ beside: app, environment: { PAYMENT_PROVIDER: 'manual' } });
    try {
      expect((await notify(manual, { body: '{}', signature: 'x' })).status).toBe(404);
    } finally {
      await manual.stop();
    }
  });

  it('fails the start of the service when a key of Stripe is missing', async () => {
    await expect(TestApp.start({ beside: app, environment: { PAYMENT_PROVIDER: 'stripe' } })).rejects.toThrow(
      /STRIPE_SECRET_KEY.*\n.*STRIPE_WEBHOOK_SECRET/,
    );
  });
});
