import { type RequestContext } from '#kernel/context/request-context';
import { newId } from '#kernel/ids';
import { OperatorBillingService, BillingService } from '#modules/billing';
import { Transactions } from '#infra/database/transactions';
import { PeriodsService } from '../../../src/modules/billing/statements/periods.service';
import { StorageAccrualService } from '../../../src/modules/billing/storage-metering/storage-accrual.service';
import { UsageService } from '../../../src/modules/billing/usage/usage.service';
import { faultsOf, operator, setBalance } from '../../support/checks/billing-consistency';
import { TestApp } from '../../support/app/test-app';

const MB = 1_000_000;
const STORAGE_PRICE = 100n;

/** Months by a database clock that stands where it is put, in servers of three time zones (reliability F8, F9). */
describe.each(['UTC', 'America/New_York', 'Pacific/Kiritimati'])('months, with a database in %s', (zone) => {
  let app: TestApp;
  let billing: BillingService;
  let organizationId: string;

  beforeAll(async () => {
    const database = await TestApp.start({ worker: false });
    await database.sql(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET timezone = %L', current_database(), '${zone}'); END $$`,
    );
    // Sessions take their zone when they begin: another instance is used than the one that was there before.
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
  const keep = (buildId: string, sizeBytes: number): Promise<void> =>
    inTransaction((tx) => billing.startStorage(tx, { organizationId, buildId, sizeBytes }));
  const drop = (buildId: string): Promise<void> =>
    inTransaction((tx) => billing.endStorage(tx, organizationId, buildId));
  const close = (): Promise<void> => app.nest.get(PeriodsService).closeAll(ctx());
  const accrue = (): Promise<void> => app.nest.get(StorageAccrualService).accrueAll(ctx());
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

  it('is in the zone that it says', async () => {
    const [row] = await app.sql<{ TimeZone: string }>('SHOW timezone');
    expect(row!.TimeZone).toBe(zone);
  });

  // red when: the length of the month is taken for 30 days, or an interval is cut at the server's midnight
  it('domain check 10: 100 MB from the eleventh of 31 days are 100 × 21/31 MB-months; deleted at noon, that day counts half', async () => {
    await begin('2026-12-01T00:00:00Z');
    const [a, b] = [newId(), newId()];
    await at('2026-12-11T00:00:00Z');
    await keep(a, 100 * MB);
    await keep(b, 100 * MB);
    await at('2026-12-20T12:00:00Z');
    await drop(b);
    await at('2027-01-05T07:00:00Z');
    const { quantities, days, period } = await usage('2026-12');
    const day = 100n * BigInt(MB) * 86_400_000n;
    // 21 days of one, nine and a half of the other
    expect(quantities.storage * 2n).toBe(day * 61n);
    expect(days.find((each) => each.day === '2026-12-20')?.quantities.storage).toBe((day * 3n) / 2n);
    expect(days.reduce((sum, each) => sum + each.quantities.storage, 0n)).toBe(quantities.storage);
    expect(period.end.getTime() - period.start.getTime()).toBe(31 * 86_400_000);
    await close();
    // 100 MB × 100 × 30.5 days of 31, up to the next micro-dollar
    expect((await sums('usage_storage'))['2026-12']).toBe(-((100n * 100n * 305n + 309n) / 310n));
  });

  // red when: each accrual rounds what it adds, or a closed month is accrued again
  it.each(['2026-11', '2026-12', '2027-02', '2028-02'])(
    'F8: random uploads and deletes of %s come to the closed form, however often they are accrued',
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
          await drop(id);
          kept.delete(id);
          expected += BigInt(size) * BigInt(moment - since);
        } else {
          const [id, size] = [newId(), Math.floor(Math.random() * 2 ** 40)];
          await keep(id, size);
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

  // red when: the period is told by the server's own midnight, or by when it was reserved
  it('F9: a cap begins anew at 00:00 UTC, and what crosses midnight belongs to where it settles', async () => {
    await begin('2026-11-10T00:00:00Z');
    await app.nest.get(OperatorBillingService).setPlan(ctx(), organizationId, 'business');
    await app.nest.get(OperatorBillingService).setSpendCap(ctx(), organizationId, 240n);
    const reserve = () => billing.reserve(ctx(), { organizationId, kind: 'download', sizeBytes: MB });
    await at('2026-11-30T23:59:59.900Z');
    const [early, crossing] = [await reserve(), await reserve()];
    await billing.settle(ctx(), early.id, MB);
    await expect(reserve()).rejects.toMatchObject({ errorCase: 'spend_cap_exceeded' });
    await at('2026-12-01T00:00:00.000Z');
    // The first of November is spent; the one that is open still holds its room.
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

  it('charges Team in advance and Business in arrears, each its part of the month, and closes once', async () => {
    await begin('2026-11-16T00:00:00Z', 50_000_000n);
    // Half of November, which the trial credit pays.
    expect(await sums('plan_fee')).toEqual({ '2026-11': -2_500_000n });
    await at('2026-12-01T00:01:00Z');
    await Promise.all([close(), close(), close()]);
    expect(await sums('plan_fee')).toEqual({ '2026-11': -2_500_000n, '2026-12': -5_000_000n });
    expect(await balance()).toBe(45_000_000n);

    // Three quarters of a February on Business: the unused quarters of Team come back.
    await at('2027-02-08T00:00:00Z');
    await app.nest.get(OperatorBillingService).setPlan(ctx(), organizationId, 'business');
    expect((await sums('plan_fee'))['2027-02']).toBe(-1_250_000n);
    await at('2027-03-01T00:00:00Z');
    await close();
    expect((await sums('plan_fee'))['2027-02']).toBe(-1_250_000n - 75_000_000n);
    expect((await sums('plan_fee'))['2027-03']).toBeUndefined();
    // Back at the middle of April: half of Business for what was, half of Team for what comes.
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

  // red when: a change of plan gives back the fee that came with the trial credit, or charges it in the first month after all
  it('gives back no fee that the trial paid, and charges none of its month', async () => {
    const setPlan = (plan: 'team' | 'business') =>
      app.nest.get(OperatorBillingService).setPlan(ctx(), organizationId, plan);
    await begin('2026-11-16T00:00:00Z', 100_000_000n);
    await setPlan('business');
    expect(await balance()).toBe(100_000_000n);
    // Three days of thirty on Business.
    await at('2026-11-19T00:00:00Z');
    await setPlan('team');
    expect(await balance()).toBe(90_000_000n);
    await setPlan('business');
    await setPlan('team');
    expect(await balance()).toBe(90_000_000n);
    // December is paid, and half of it comes back.
    await at('2026-12-16T12:00:00Z');
    await setPlan('business');
    expect(await balance()).toBe(90_000_000n - 2_500_000n);
    await setPlan('team');
    expect(await balance()).toBe(90_000_000n - 5_000_000n);
  });

  it('charges no fee that is waived, from then on', async () => {
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

  it('keeps what is stored at no credit at all, charges it, and refuses transfers', async () => {
    await begin('2026-11-01T00:00:00Z', 1n);
    await keep(newId(), 100 * MB);
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
