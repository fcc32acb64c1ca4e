import { type Response } from 'supertest';
import { BillingOperations } from '#modules/billing';
import { operator } from '../support/books';
import { type DoubleSession, StripeDouble, WEBHOOK_SECRET } from '../support/stripe-double';
import { TestApp } from '../support/test-app';
import { verifiedDeveloper } from '../support/tenant';
import { describeTopUps, type TopUpBody } from '../suites/top-ups.suite';

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
const sessionOf = ({ id }: TopUpBody): DoubleSession =>
  double.sessions.find(({ client_reference_id }) => client_reference_id === id)!;
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
    pay: (app, { id }) => app.nest.get(BillingOperations).approveTopUp(operator(app), id),
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
  let path: string;
  let ask: (amount: number) => PromiseLike<Response>;
  let balance: () => Promise<number>;
  beforeAll(async () => {
    app = await TestApp.start({ environment: environment() });
    const ann = await verifiedDeveloper(app);
    path = `/organizations/${(await ann.createsOrganization()).id}/billing`;
    ask = (amount) => ann.post(`${path}/top-ups`, { amount_micro_usd: amount });
    balance = async () => ((await ann.get(path).expect(200)).body as { balance_micro_usd: number }).balance_micro_usd;
  });
  afterAll(() => app.stop());

  // red when: the body is parsed and written again before the signature is checked, or the secret is not used
  it('is believed only with its signature, of these bytes, by this secret', async () => {
    const { body: topUp } = (await ask(1_000_000)) as { body: TopUpBody };
    expect(topUp.checkout_url).toBe(sessionOf(topUp).url);
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
      { client_reference_id: null },
      { client_reference_id: 'x' },
    ])
      expect((await tell(app, double.notification(session, change))).status).toBe(204);
    expect(await balance()).toBe(before);
    expect((await tell(app, double.notification(session))).status).toBe(204);
    expect(await balance()).toBe(before + 2_000_000);
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
