import { randomUUID } from 'node:crypto';
import { type Developer, type OrganizationRef } from '../support/actors/actors';
import { faultsOf } from '../support/checks/billing-consistency';
import { TestApp } from '../support/app/test-app';
import { verifiedDeveloper } from '../support/actors/tenant';

export interface TopUpBody {
  readonly id: string;
  readonly amount_micro_usd: number;
  readonly state: string;
  readonly provider: string;
  readonly checkout_url: string | null;
}

/** A payment provider under test: how it is configured, and how a top-up comes to be paid with it. */
export interface PaymentCase {
  readonly name: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Has the money arrive, once more if it is called again; resolves when the service has heard of it. */
  readonly pay: (app: TestApp, topUp: TopUpBody) => Promise<unknown>;
}

/** What every payment provider does alike. */
export function describeTopUps(name: string, prepare: () => Promise<PaymentCase>): void {
  describe(`top-ups by ${name}`, () => {
    let app: TestApp;
    let beside: TestApp;
    let provider: PaymentCase;
    let ann: Developer;
    let organization: OrganizationRef;

    beforeAll(async () => {
      provider = await prepare();
      app = await TestApp.start({ environment: provider.environment });
      beside = await TestApp.start({ environment: provider.environment, beside: app });
      ann = await verifiedDeveloper(app);
    });
    beforeEach(async () => {
      organization = await ann.createsOrganization();
    });
    afterEach(async () => expect(await faultsOf(app)).toEqual([]));
    afterAll(async () => {
      await beside.stop();
      await app.stop();
    });

    const path = (): string => `/organizations/${organization.id}/billing`;
    const ask = (amount: number, key = randomUUID()) =>
      ann.post(`${path()}/top-ups`, { amount_micro_usd: amount }).set('Idempotency-Key', key);
    const balance = async (): Promise<number> =>
      ((await ann.get(path()).expect(200)).body as { balance_micro_usd: number }).balance_micro_usd;

    it('credits nothing before it is paid, and then all of it', async () => {
      const { body } = (await ask(20_000_000).expect(201)) as { body: TopUpBody };
      expect(body).toMatchObject({ amount_micro_usd: 20_000_000, state: 'pending', provider: provider.name });
      expect(await balance()).toBe(5_000_000);
      await provider.pay(app, body);
      expect(await balance()).toBe(25_000_000);
      const { items } = (await ann.get(`${path()}/ledger`).expect(200)).body as { items: object[] };
      expect(items[0]).toMatchObject({ kind: 'top_up', amount_micro_usd: 20_000_000, reference: body.id });
    });

    // red when: markPaid does not ask whether it was paid before
    it('credits once, however often and wherever it is told so', async () => {
      const { body } = (await ask(3_000_000).expect(201)) as { body: TopUpBody };
      await Promise.all(
        Array.from({ length: 12 }, (_, n) => provider.pay(n % 2 === 0 ? app : beside, body).catch(() => undefined)),
      );
      expect(await balance()).toBe(8_000_000);
      const events = await app.sql(
        `SELECT type FROM audit_event WHERE organization_id = $1 AND type LIKE 'billing.top_up%' ORDER BY id`,
        [organization.id],
      );
      expect(events.map(({ type }) => type)).toEqual(['billing.top_up_requested', 'billing.top_up_paid']);
    });

    it('is asked for once with one key, and twice with two', async () => {
      const key = randomUUID();
      const [one, two] = [await ask(1_000_000, key).expect(201), await ask(1_000_000, key).expect(201)];
      expect(two.body).toEqual(one.body);
      expect(((await ask(1_000_000).expect(201)).body as TopUpBody).id).not.toBe((one.body as TopUpBody).id);
    });

    // red when: sums are taken that Stripe would not, or that are no longer exact together
    it('is of whole micro-dollars, more than none and less than a million dollars', async () => {
      await ask(999_999_990_000).expect(201);
      for (const bad of [0, -1, 1.5, 999_999_990_001, 2 ** 53 - 1, 2 ** 53, '5', null])
        expect((await ann.post(`${path()}/top-ups`, { amount_micro_usd: bad }).expect(400)).body).toMatchObject({
          error: 'validation_error',
        });
    });
  });
}
