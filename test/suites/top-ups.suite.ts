import { randomUUID } from 'node:crypto';
import { type Developer, type OrganizationRef } from '../support/actors/actors';
import { verifiedDeveloper } from '../support/actors/tenant';
import { TestApp } from '../support/app/test-app';
import { faultsOf } from '../support/checks/billing-consistency';

export interface TopUpBody {
  readonly id: string;
  readonly amount_micro_usd: number;
  readonly state: string;
  readonly provider: string;
  readonly checkout_url: string | null;
}

/** A payment provider under test. */
export interface PaymentCase {
  readonly name: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Pays a top-up, again with each call, and resolves when the service has processed the payment. */
  readonly pay: (app: TestApp, topUp: TopUpBody) => Promise<unknown>;
}

/** The behaviour that all payment providers share. */
export function describeTopUps(name: string, prepare: () => Promise<PaymentCase>): void {
  describe(`a top-up by ${name}`, () => {
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
    const request = (amount: number, key = randomUUID()) =>
      ann.post(`${path()}/top-ups`, { amount_micro_usd: amount }).set('Idempotency-Key', key);
    const balance = async (): Promise<number> =>
      ((await ann.get(path()).expect(200)).body as { balance_micro_usd: number }).balance_micro_usd;

    it('is credited when it is paid, and not before', async () => {
      const { body } = (await request(20_000_000).expect(201)) as { body: TopUpBody };
      expect(body).toMatchObject({ amount_micro_usd: 20_000_000, state: 'pending', provider: provider.name });
      expect(await balance()).toBe(5_000_000);
      await provider.pay(app, body);
      expect(await balance()).toBe(25_000_000);
      const { items } = (await ann.get(`${path()}/ledger`).expect(200)).body as { items: object[] };
      expect(items[0]).toMatchObject({ kind: 'top_up', amount_micro_usd: 20_000_000, reference: body.id });
    });

    // red when: markPaid does not check whether the top-up is already paid
    it('is credited once when its payment is reported repeatedly, on two instances', async () => {
      const { body } = (await request(3_000_000).expect(201)) as { body: TopUpBody };
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

    it('is created once for one idempotency key, and twice for two', async () => {
      const key = randomUUID();
      const [one, two] = [await request(1_000_000, key).expect(201), await request(1_000_000, key).expect(201)];
      expect(two.body).toEqual(one.body);
      expect(((await request(1_000_000).expect(201)).body as TopUpBody).id).not.toBe((one.body as TopUpBody).id);
    });

    it('is listed with earlier top-ups, newest first, page by page', async () => {
      const topUps: TopUpBody[] = [];
      for (const amount of [1_000_000, 2_000_000, 3_000_000])
        topUps.unshift((await request(amount).expect(201)).body as TopUpBody);
      const [newest, paid, oldest] = topUps;
      await provider.pay(app, paid!);
      const list = async (query: string): Promise<{ items: TopUpBody[]; next_cursor: string | null }> =>
        (await ann.get(`${path()}/top-ups${query}`).expect(200)).body as never;
      const first = await list('?limit=2');
      expect(first.items).toEqual([newest, { ...paid, state: 'paid', paid_at: expect.any(String) as string }]);
      const second = await list(`?limit=2&cursor=${first.next_cursor}`);
      expect(second).toEqual({ items: [oldest], next_cursor: null });
      const other = await ann.createsOrganization();
      expect((await ann.get(`/organizations/${other.id}/billing/top-ups`).expect(200)).body).toEqual({
        items: [],
        next_cursor: null,
      });
    });

    // red when: amounts are accepted that Stripe rejects, or that are not exact as JSON numbers
    it('is between 1 micro-dollar and 999999.99 USD, in whole micro-dollars', async () => {
      await request(999_999_990_000).expect(201);
      for (const bad of [0, -1, 1.5, 999_999_990_001, 2 ** 53 - 1, 2 ** 53, '5', null])
        expect((await ann.post(`${path()}/top-ups`, { amount_micro_usd: bad }).expect(400)).body).toMatchObject({
          error: 'validation_error',
        });
    });
  });
}
