import { type RequestContext } from '#kernel/context/request-context';
import { newId } from '#kernel/ids';
import { Transactions } from '#infra/database/transactions';
import { OrganizationSchedules } from '#infra/jobs/shards/organization-schedules';
import { BillingService, OperatorBillingService } from '#modules/billing';
import { UsageService } from '../../../src/modules/billing/usage/usage.service';
import { TestApp } from '../../support/app/test-app';
import { faultsOf, operator, setBalance } from '../../support/checks/billing-consistency';

const MB = 1_000_000;
const STORAGE_PRICE = 100n;

/** With a fixed database clock, and database servers in three time zones. */
describe.each(['UTC', 'America/New_York', 'Pacific/Kiritimati'])('billing by months, with a database in %s', (zone) => {
  let app: TestApp;
  let billing: BillingService;
  let organizationId: string;

  beforeAll(async () => {
    const database = await TestApp.start({ worker: false });
    await database.sql(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET timezone = %L', current_database(), '${zone}'); END $$`,
    );
    // Sessions read the time zone when they start, so the tests use an instance that starts afterwards.
    app = await TestApp.start({ beside: database, worker: false });
    billing = app.nest.get(BillingService);
    owner = database;
  });
  let owner: TestApp;
  afterEach(async () => expect(await faultsOf(app)).toEqual([]));
  afterAll(async () => {
    await app.stop();
    await owner.stop();
  });

  const ctx = (): RequestContext => operator(app);
  const inTransaction = (work: (tx: RequestContext) => Promise<void>): Promise<void> =>
    app.nest.get(Transactions).run(ctx(), work);
  const at = (instant: Date | string): Promise<unknown> =>
    app.sql(`CREATE OR REPLACE FUNCTION app_now() RETURNS timestamptz LANGUAGE sql VOLATILE PARALLEL SAFE
             AS $$ SELECT timestamptz '${new Date(instant).toISOString()}' $$`);
  const begin = async (instant: string, balance = 100_000_000n): Promise<void> => {
    await at(instant);
    organizationId = newId();
    await app.sql(`INSERT INTO organization (id, name, created_at) VALUES ($1, 'Acme', app_now())`, [organizationId]);
    await billing.openAccount(ctx(), organizationId);
    await setBalance(app, organizationId, balance);
  };
  const store = (buildId: string, sizeBytes: number): Promise<void> =>
    inTransaction((tx) => billing.startStorage(tx, { organizationId, buildId, sizeBytes, isHosted: true }));
  const remove = (buildId: string): Promise<void> =>
    inTransaction((tx) => billing.endStorage(tx, organizationId, [buildId]));
  const close = (): Promise<void> => app.nest.get(OrganizationSchedules).runAll(ctx(), 'billing.close-periods');
  const accrue = (): Promise<void> => app.nest.get(OrganizationSchedules).runAll(ctx(), 'billing.accrue-storage');
  const usage = (period: string) => app.nest.get(UsageService).get(ctx(), organizationId, period);
  const balance = async (): Promise<bigint> =>
    (await app.nest.get(OperatorBillingService).show(ctx(), organizationId)).balanceMicroUsd;
  const sums = async (kind: string): Promise<Record<string, bigint>> =>
    Object.fromEntries(
      (
        await app.sql<{ period: string; sum: string }>(
          `SELECT period, sum(amount_micro_usd) FROM ledger_entry WHERE organization_id = $1 AND kind = $2 GROUP BY 1`,
          [organizationId, kind],
        )
      ).map(({ period, sum }) => [period, BigInt(sum)]),
    );

  it('uses a database in that time zone', async () => {
    const [row] = await app.sql<{ TimeZone: string }>('SHOW timezone');
    expect(row!.TimeZone).toBe(zone);
  });

  // red when: the length of the month is taken as 30 days, or an interval is cut at the server's midnight
  it('meters 100 MB from the 11th of a 31-day month as 100 × 21/31 MB-months, and half a day for a deletion at noon', async () => {
    await begin('2026-12-01T00:00:00Z');
    const [a, b] = [newId(), newId()];
    await at('2026-12-11T00:00:00Z');
    await store(a, 100 * MB);
    await store(b, 100 * MB);
    await at('2026-12-20T12:00:00Z');
    await remove(b);
    await at('2027-01-05T07:00:00Z');
    const { quantities, days, period } = await usage('2026-12');
    const day = 100n * BigInt(MB) * 86_400_000n;
    // 21 days of one build, 9.5 days of the other.
    expect(quantities.storage * 2n).toBe(day * 61n);
    expect(days.find((each) => each.day === '2026-12-20')?.quantities.storage).toBe((day * 3n) / 2n);
    expect(days.reduce((sum, each) => sum + each.quantities.storage, 0n)).toBe(quantities.storage);
    expect(period.end.getTime() - period.start.getTime()).toBe(31 * 86_400_000);
    await close();
    // 100 MB × 100 × 30.5 of 31 days, rounded up.
    expect((await sums('usage_storage'))['2026-12']).toBe(-((100n * 100n * 305n + 309n) / 310n));
  });

  // red when: each accrual rounds the amount that it adds, or a closed month is accrued again
  it.each(['2026-11', '2026-12', '2027-02', '2028-02'])(
    'charges the exact sum of random uploads and deletions in %s, however often storage is accrued',
    async (month) => {
      const start = new Date(`${month}-01T00:00:00Z`);
      const end = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1));
      const length = end.getTime() - start.getTime();
      await begin(start.toISOString());
      const moments = Array.from({ length: 24 }, () => Math.floor(Math.random() * length)).sort((x, y) => x - y);
      const kept = new Map<string, { size: number; since: number }>();
      let expected = 0n;
      for (const [n, moment] of moments.entries()) {
        await at(new Date(start.getTime() + moment));
        if (n % 3 === 2 && kept.size > 0) {
          const [[id, { size, since }]] = [...kept] as [[string, { size: number; since: number }]];
          await remove(id);
          kept.delete(id);
          expected += BigInt(size) * BigInt(moment - since);
        } else {
          const [id, size] = [newId(), Math.floor(Math.random() * 2 ** 40)];
          await store(id, size);
          kept.set(id, { size, since: moment });
        }
        if (Math.random() < 0.5) await accrue();
      }
      for (const { size, since } of kept.values()) expected += BigInt(size) * BigInt(length - since);
      await at(new Date(end.getTime() + 1));
      await Promise.all([close(), close()]);
      await close();
      expect({ moments, storage: (await usage(month)).quantities.storage }).toEqual({ moments, storage: expected });
      const unit = BigInt(MB) * BigInt(length);
      expect((await sums('usage_storage'))[month]).toBe(-((expected * STORAGE_PRICE + unit - 1n) / unit));
      const [statement] = await app.sql<{ storage_byte_ms: string }>(
        `SELECT storage_byte_ms FROM billing_statement WHERE organization_id = $1`,
        [organizationId],
      );
      expect(BigInt(statement!.storage_byte_ms)).toBe(expected);
    },
  );

  // red when: the period changes at the server's midnight, or is that of the reservation
  it('resets the spend cap at 00:00 UTC, and books a transfer into the period in which it is settled', async () => {
    await begin('2026-11-10T00:00:00Z');
    await app.nest.get(OperatorBillingService).setPlan(ctx(), organizationId, 'business');
    await app.nest.get(OperatorBillingService).setSpendCap(ctx(), organizationId, 240n);
    const reserve = () => billing.reserve(ctx(), { organizationId, kind: 'download', sizeBytes: MB });
    await at('2026-11-30T23:59:59.900Z');
    const [early, crossing] = [await reserve(), await reserve()];
    await billing.settle(ctx(), early.id, MB);
    await expect(reserve()).rejects.toMatchObject({ errorCase: 'spend_cap_exceeded' });
    await at('2026-12-01T00:00:00.000Z');
    // The spending of November no longer counts, but the open reservation does.
    const next = await reserve();
    await expect(reserve()).rejects.toMatchObject({ errorCase: 'spend_cap_exceeded' });
    await at('2026-12-01T00:00:00.100Z');
    await billing.settle(ctx(), crossing.id, MB);
    await billing.release(ctx(), next.id);
    await close();
    expect(await sums('usage_download')).toEqual({ '2026-11': -120n, '2026-12': -120n });
    expect((await usage('2026-11')).quantities.download).toBe(BigInt(MB));
    expect((await usage('2026-12')).quantities.download).toBe(BigInt(MB));
  });

  it('charges the team plan in advance and the business plan in arrears, pro rata, and closes each month once', async () => {
    await begin('2026-11-16T00:00:00Z', 50_000_000n);
    // Half of November, credited back by the trial.
    expect(await sums('plan_fee')).toEqual({ '2026-11': -2_500_000n });
    await at('2026-12-01T00:01:00Z');
    await Promise.all([close(), close(), close()]);
    expect(await sums('plan_fee')).toEqual({ '2026-11': -2_500_000n, '2026-12': -5_000_000n });
    expect(await balance()).toBe(45_000_000n);

    // On business for three quarters of February: the unused part of team is refunded.
    await at('2027-02-08T00:00:00Z');
    await app.nest.get(OperatorBillingService).setPlan(ctx(), organizationId, 'business');
    expect((await sums('plan_fee'))['2027-02']).toBe(-1_250_000n);
    await at('2027-03-01T00:00:00Z');
    await close();
    expect((await sums('plan_fee'))['2027-02']).toBe(-1_250_000n - 75_000_000n);
    expect((await sums('plan_fee'))['2027-03']).toBeUndefined();
    // Back to team in the middle of April: half of business in arrears, half of team in advance.
    await at('2027-04-16T00:00:00Z');
    await app.nest.get(OperatorBillingService).setPlan(ctx(), organizationId, 'team');
    expect(await sums('plan_fee')).toMatchObject({ '2027-03': -100_000_000n, '2027-04': -50_000_000n - 2_500_000n });

    const rows = await app.sql<{
      period: string;
      opening_balance_micro_usd: string;
      closing_balance_micro_usd: string;
    }>(`SELECT * FROM billing_statement WHERE organization_id = $1 ORDER BY period`, [organizationId]);
    expect(rows.map(({ period }) => period)).toEqual(['2026-11', '2026-12', '2027-01', '2027-02', '2027-03']);
    rows.reduce((before, row) => {
      expect(row.opening_balance_micro_usd).toBe(before);
      return row.closing_balance_micro_usd;
    }, '0');
    expect(
      await app.sql(`SELECT FROM audit_event WHERE type = 'billing.period_closed' AND organization_id = $1`, [
        organizationId,
      ]),
    ).toHaveLength(5);
  });

  // red when: a plan change refunds the fee that the trial covered, or charges it in the first month
  it('neither refunds nor charges the fee of the first month, which the trial covers', async () => {
    const setPlan = (plan: 'team' | 'business') =>
      app.nest.get(OperatorBillingService).setPlan(ctx(), organizationId, plan);
    await begin('2026-11-16T00:00:00Z', 100_000_000n);
    await setPlan('business');
    expect(await balance()).toBe(100_000_000n);
    // On business for 3 of 30 days.
    await at('2026-11-19T00:00:00Z');
    await setPlan('team');
    expect(await balance()).toBe(90_000_000n);
    await setPlan('business');
    await setPlan('team');
    expect(await balance()).toBe(90_000_000n);
    // December was charged, and half of it is refunded.
    await at('2026-12-16T12:00:00Z');
    await setPlan('business');
    expect(await balance()).toBe(90_000_000n - 2_500_000n);
    await setPlan('team');
    expect(await balance()).toBe(90_000_000n - 5_000_000n);
  });

  it('charges no fee from the moment it is waived until the waiver ends', async () => {
    await begin('2026-11-01T00:00:00Z', 1_000_000n);
    await app.nest.get(OperatorBillingService).waiveFee(ctx(), organizationId, true);
    await at('2027-01-01T00:00:00Z');
    await close();
    expect(await balance()).toBe(1_000_000n);
    await app.nest.get(OperatorBillingService).waiveFee(ctx(), organizationId, false);
    await at('2027-02-01T00:00:00Z');
    await close();
    expect(await balance()).toBe(-4_000_000n);
  });

  it('keeps and charges stored builds without credit, and rejects transfers', async () => {
    await begin('2026-11-01T00:00:00Z', 1n);
    await store(newId(), 100 * MB);
    await at('2026-11-16T00:00:00Z');
    await accrue();
    await accrue();
    expect(await balance()).toBe(1n - 5_000n);
    await expect(billing.reserve(ctx(), { organizationId, kind: 'upload', sizeBytes: 1 })).rejects.toMatchObject({
      errorCase: 'prepaid_credit_exhausted',
    });
    expect(
      await app.sql(`SELECT FROM storage_interval WHERE organization_id = $1 AND ended_at IS NULL`, [organizationId]),
    ).toHaveLength(1);
  });
});
