import { randomUUID } from 'node:crypto';
import { type Response } from 'supertest';
import { OperatorBillingService } from '#modules/billing';
import { operator } from '../../support/checks/billing-consistency';
import { type DoubleSession, StripeDouble, WEBHOOK_SECRET } from '../../support/servers/stripe-double';
import { TestApp } from '../../support/app/test-app';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { describeTopUps, type TopUpBody } from '../../suites/top-ups.suite';

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
const tell = async (app: TestApp, { body, signature }: { body: string; signature: string }): Promise<Response> =>
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
    pay: async (app, topUp) => expect((await tell(app, double.notification(sessionOf(topUp)))).status).toBe(204),
  }),
);

describe('what Stripe says', () => {
  let app: TestApp;
  let organizationId: string;
  let path: string;
  let ask: (amount: number, key?: string) => PromiseLike<Response>;
  let balance: () => Promise<number>;
  beforeAll(async () => {
    app = await TestApp.start({ environment: environment() });
    const ann = await verifiedDeveloper(app);
    organizationId = (await ann.createsOrganization()).id;
    path = `/organizations/${organizationId}/billing`;
    ask = (amount, key = randomUUID()) =>
      ann.post(`${path}/top-ups`, { amount_micro_usd: amount }).set('Idempotency-Key', key);
    balance = async () => ((await ann.get(path).expect(200)).body as { balance_micro_usd: number }).balance_micro_usd;
  });
  afterAll(() => app.stop());

  // red when: the body is parsed and written again before the signature is checked, or the secret is not used
  it('is believed only with its signature, of these bytes, by this secret', async () => {
    const { body: topUp } = (await ask(1_000_000)) as { body: TopUpBody };
    expect(sessionOf(topUp)).toMatchObject({ client_reference_id: organizationId, amount_total: 100 });
    const good = double.notification(sessionOf(topUp));
    const forged = [
      double.notification(sessionOf(topUp), {}, 'whsec_of_somebody_else'),
      { ...good, signature: '' },
      { ...good, signature: 't=1,v1=00' },
      { body: good.body.replace('1000000', '9000000').replace('100,', '900,'), signature: good.signature },
    ];
    for (const notification of forged) {
      const answer = await tell(app, notification);
      expect([answer.status, answer.body]).toMatchObject([
        400,
        { error: 'invalid_input', details: { reason: 'bad_signature' } },
      ]);
    }
    expect(await balance()).toBe(5_000_000);
    expect((await tell(app, good)).status).toBe(204);
    expect(await balance()).toBe(6_000_000);
  });

  it('credits what was paid, in dollars, once it is', async () => {
    const before = await balance();
    const { body: topUp } = (await ask(2_000_000)) as { body: TopUpBody };
    const session = sessionOf(topUp);
    for (const change of [
      { payment_status: 'unpaid' },
      { currency: 'jpy' },
      { id: 'cs_test_of_somebody_else' },
      { amount_total: null },
    ])
      expect((await tell(app, double.notification(session, change))).status).toBe(204);
    expect(await balance()).toBe(before);
    expect((await tell(app, double.notification(session))).status).toBe(204);
    expect(await balance()).toBe(before + 2_000_000);
  });

  // red when: a payment that no top-up is there for is passed over in silence, or more is logged than a person needs to find it
  it('of an organization that was deleted meanwhile wants a person: there is money that nobody has credit for', async () => {
    const ann = await verifiedDeveloper(app);
    const { id } = await ann.createsOrganization();
    const { body: topUp } = await ann.post(`/organizations/${id}/billing/top-ups`, { amount_micro_usd: 7_000_000 });
    const session = sessionOf(topUp as TopUpBody);
    await ann.delete(`/organizations/${id}`).expect(204);
    const notification = double.notification(session, { customer_details: { email: 'payer@example.com' } });
    expect((await tell(app, notification)).status).toBe(204);
    const lines = app.logLines.filter((each) => each.includes(session.id));
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ level: 'error', reference: session.id, amountMicroUsd: 7_000_000, organizationId: id }),
    ]);
    expect(lines[0]).not.toContain('payer@');
  });

  it('is asked in whole cents', async () => {
    const answer = await ask(1_234_567);
    expect([answer.status, answer.body]).toMatchObject([
      400,
      { error: 'invalid_input', details: { reason: 'amount_not_payable' } },
    ]);
  });

  // red when: what the SDK throws is not mapped
  it('may not be heard at all: 503, nothing kept; a hiccup is retried', async () => {
    const rows = () => app.sql('SELECT FROM top_up');
    const before = (await rows()).length;
    double.failures = 2;
    const answer = await ask(1_000_000);
    expect([answer.status, answer.body]).toMatchObject([503, { error: 'storage_backend_unavailable' }]);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(await rows()).toHaveLength(before);
    double.failures = 1;
    expect((await ask(1_000_000)).status).toBe(201);
  });

  // red when: what nobody has paid is kept for ever; or what was paid, or may yet be, is forgotten
  it('is forgotten when it has not come for ninety days', async () => {
    const asked: string[] = [];
    for (const _ of ['paid', 'old', 'young']) asked.push(((await ask(1_000_000)).body as TopUpBody).id);
    const [paid, old, young] = asked;
    await app.nest.get(OperatorBillingService).approveTopUp(operator(app), paid!);
    await app.sql(`UPDATE top_up SET created_at = app_now() - interval '91 days' WHERE id = ANY ($1)`, [[paid, old]]);
    await app.sql(`UPDATE top_up SET created_at = app_now() - interval '89 days' WHERE id = $1`, [young]);
    await app.runsJob('billing.prune-top-ups');
    const kept = await app.sql<{ id: string }>('SELECT id FROM top_up WHERE id = ANY ($1) ORDER BY id', [asked]);
    expect(kept.map(({ id }) => id)).toEqual([paid, young].sort());
  });

  const sessionsMadeBy = async (work: () => Promise<void>): Promise<number> => {
    const before = double.sessions.length;
    await work();
    return double.sessions.length - before;
  };

  // red when: Stripe is asked with another key by each attempt
  it('may be lost on its way: the same key finds the session that was made', async () => {
    const key = randomUUID();
    const made = await sessionsMadeBy(async () => {
      double.losses = 2;
      expect((await ask(1_000_000, key)).status).toBe(503);
      expect((await ask(1_000_000, key)).status).toBe(201);
    });
    expect(made).toBe(1);
  });

  // red when: what Stripe repeats is taken for its answer
  it('may be a fault that it keeps for a key: a retry is not told of it for a day', async () => {
    const key = randomUUID();
    const made = await sessionsMadeBy(async () => {
      double.faults = 2;
      expect((await ask(1_000_000, key)).status).toBe(503);
      expect((await ask(1_000_000, key)).status).toBe(201);
    });
    expect(made).toBe(1);
  });

  // red when: uq_top_up_payment is not there
  it('is not asked to be paid twice by a key that only Stripe remembers', async () => {
    const key = randomUUID();
    const made = await sessionsMadeBy(async () => {
      expect((await ask(1_000_000, key)).status).toBe(201);
      await app.sql('DELETE FROM idempotency_record');
      expect((await ask(1_000_000, key)).body).toMatchObject({ error: 'already_exists' });
    });
    expect(made).toBe(1);
  });

  // red when: the key of Stripe's does not depend on the body, or a request without an answer keeps its key
  it('is about a sum: a key that had no answer may come again with another', async () => {
    const key = randomUUID();
    double.losses = 2;
    expect((await ask(1_000_000, key)).status).toBe(503);
    const { status, body } = await ask(2_000_000, key);
    expect([status, (body as TopUpBody).amount_micro_usd]).toEqual([201, 2_000_000]);
    expect(sessionOf(body as TopUpBody).amount_total).toBe(200);
  });

  /** Those that stay open: a job of the worker's is between two statements for a moment at most. */
  const openTransactions = async (): Promise<object[]> => {
    for (let look = 0; ; look++) {
      const open = await app.sql(
        `SELECT query FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
      );
      if (open.length === 0 || look === 50) return open;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };

  // red when: the route is @Idempotent() without `streams`: its transaction holds a connection while Stripe is asked
  it('may take its time: meanwhile no transaction is open, and a pool of two serves everybody else', async () => {
    const small = await TestApp.start({
      beside: app,
      environment: { ...environment(), DATABASE_POOL_SIZE: '2' },
      worker: false,
    });
    try {
      const ann = await verifiedDeveloper(small);
      const { id } = await ann.createsOrganization();
      const insists = async (key: string): Promise<Response> => {
        for (;;) {
          const answer = await ann
            .post(`/organizations/${id}/billing/top-ups`, { amount_micro_usd: 1_000_000 })
            .set('Idempotency-Key', key);
          if (answer.status !== 503) return answer;
        }
      };
      let asked: Promise<Response>[] = [];
      await double.whileSlow(async () => {
        asked = [insists(randomUUID()), insists(randomUUID())];
        await double.isAsked(2);
        expect(await openTransactions()).toEqual([]);
        for (let n = 0; n < 5; n++) await ann.get(`/organizations/${id}/billing`).expect(200);
      });
      expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([201, 201]);
    } finally {
      await small.stop();
    }
  });

  it('is nothing to a service that is paid by hand', async () => {
    const manual = await TestApp.start({ beside: app, environment: { PAYMENT_PROVIDER: 'manual' } });
    try {
      expect((await tell(manual, { body: '{}', signature: 'x' })).status).toBe(404);
    } finally {
      await manual.stop();
    }
  });

  it('needs its keys before the start', async () => {
    await expect(TestApp.start({ beside: app, environment: { PAYMENT_PROVIDER: 'stripe' } })).rejects.toThrow(
      /STRIPE_SECRET_KEY.*\n.*STRIPE_WEBHOOK_SECRET/,
    );
  });
});
