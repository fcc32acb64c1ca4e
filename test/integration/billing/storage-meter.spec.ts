import fc from 'fast-check';
import { daysOf, periodNamed } from '#kernel/billing/period';
import { newId } from '#kernel/ids';
import { BillingService } from '#modules/billing';
import { StorageMeterRepository } from '../../../src/modules/billing/usage/storage-meter.repository';
import { TestApp } from '../../support/app/test-app';
import { plansOf, rowsHandled } from '../../support/checks/statement-plans';

/** Times are milliseconds; `to` is null while the build is stored. */
interface Interval {
  readonly size: bigint;
  readonly from: number;
  readonly to: number | null;
}

const DAY = 86_400_000;
const MONTH = periodNamed('2026-11');
const START = MONTH.start.getTime();
const MONTH_BEFORE = START - 30 * DAY;

/** The bytes times milliseconds of each span between two instants, interval by interval. */
const expected = (intervals: readonly Interval[], instants: readonly number[]): bigint[] =>
  instants.slice(1).map((until, n) =>
    intervals.reduce((sum, { size, from, to }) => {
      const stored = Math.min(to ?? until, until) - Math.max(from, instants[n]!);
      return stored > 0 ? sum + size * BigInt(stored) : sum;
    }, 0n),
  );

describe('the storage meter', () => {
  let app: TestApp;
  let meter: StorageMeterRepository;
  beforeAll(async () => {
    app = await TestApp.start({ worker: false });
    meter = app.nest.get(StorageMeterRepository);
  });
  afterEach(() => app.sql('TRUNCATE storage_interval, stored_build'));
  afterAll(() => app.stop());

  const createsOrganization = async (): Promise<string> => {
    const id = newId();
    await app.sql('INSERT INTO organization (id, name, created_at) VALUES ($1, $2, now())', [id, 'Acme']);
    await app.nest.get(BillingService).openAccount(app.systemContext, id);
    return id;
  };
  const plant = (organizationId: string, intervals: readonly Interval[]) =>
    app.sql(
      `INSERT INTO storage_interval (id, organization_id, build_id, size_bytes, started_at, ended_at)
       SELECT gen_random_uuid(), $1, gen_random_uuid(), size, to_timestamp(since / 1000.0), to_timestamp(until / 1000.0)
       FROM unnest($2::bigint[], $3::bigint[], $4::bigint[]) AS i (size, since, until)`,
      [
        organizationId,
        intervals.map(({ size }) => String(size)),
        intervals.map(({ from }) => from),
        intervals.map(({ to }) => to),
      ],
    );
  const measure = async (organizationId: string, instants: readonly number[]) => [
    ...(await meter.byteMs(
      app.systemContext,
      organizationId,
      instants.map((instant) => new Date(instant)),
    )),
  ];

  // red when: a change at the first or last instant of a span, or an interval beyond both ends of the month, counts in the wrong span
  it('gives for every span the sum over all intervals, exactly', async () => {
    const [organizationId, neighbour] = [await createsOrganization(), await createsOrganization()];
    const day = fc.integer({ min: -35, max: 35 }).map((n) => START + n * DAY);
    const time = fc.oneof(day, fc.integer({ min: START - 35 * DAY, max: START + 65 * DAY }));
    const size = fc.oneof(fc.bigInt(0n, 3n), fc.bigInt(0n, 2n ** 53n));
    const interval = fc
      .record({ size, from: time, length: fc.option(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 70 * DAY }))) })
      .map(({ size, from, length }): Interval => ({ size, from, to: length === null ? null : from + length }));
    const instants = fc.oneof(
      fc.integer({ min: 1, max: 30 * DAY }).map((length) => {
        const until = START + length;
        return [
          ...daysOf(MONTH)
            .map((start) => start.getTime())
            .filter((start) => start < until),
          until,
        ];
      }),
      fc.tuple(time, time).map(([a, b]) => [Math.min(a, b), Math.max(a, b)]),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(interval, { maxLength: 12 }), fc.array(interval), instants, async (own, others, at) => {
        await app.sql('TRUNCATE storage_interval');
        await plant(organizationId, own);
        await plant(neighbour, others);
        expect(await measure(organizationId, at)).toEqual(expected(own, at));
      }),
      { numRuns: 200 },
    );
  });

  it('gives zero for every span of an organization without intervals, and nothing for a single instant', async () => {
    const organizationId = await createsOrganization();
    expect(await measure(organizationId, [START, START + DAY, START + 2 * DAY])).toEqual([0n, 0n]);
    expect(await measure(organizationId, [START])).toEqual([]);
  });

  // red when: the open uploads have no index of their own, so that each scrape of the metrics reads all stored builds
  it('finds the open uploads without reading the builds', async () => {
    const organizationId = await createsOrganization();
    await app.sql(
      `INSERT INTO stored_build (build_id, organization_id, size_bytes, is_open_upload)
       SELECT gen_random_uuid(), $1, 1000, n > 20000 FROM generate_series(1, 20003) AS n`,
      [organizationId],
    );
    await app.sql('ANALYZE stored_build');
    const plans = await plansOf(app, async (tx) => {
      expect(await meter.totalOpenUploadBytes(tx)).toBe(3000);
      expect(await meter.openUploadBytes(tx, organizationId)).toBe(3000n);
      expect(await meter.findOpenUploads(tx)).toHaveLength(3);
    });
    for (const plan of plans) expect(rowsHandled(plan)).toBeLessThan(100);
  });

  describe('of an organization with 200,000 builds in its life, of which 3,000 were stored in this month', () => {
    let organizationId: string;
    beforeEach(async () => {
      organizationId = await createsOrganization();
      await app.sql(
        `INSERT INTO storage_interval (id, organization_id, build_id, size_bytes, started_at, ended_at)
         SELECT gen_random_uuid(), $1, gen_random_uuid(), n, to_timestamp($2::bigint / 1000), CASE
           WHEN n <= 2000 THEN NULL WHEN n <= 3000 THEN to_timestamp($3::bigint / 1000) + n * interval '10 min'
           ELSE to_timestamp($3::bigint / 1000) - n * interval '10 s' END
         FROM generate_series(1, 200000) AS n`,
        [organizationId, MONTH_BEFORE, START],
      );
      await app.sql('ANALYZE storage_interval');
    });

    // red when: the statement joins every day with every interval, or reads intervals that ended before the month
    it('handles less than twice as many rows for a month as for a day', async () => {
      const days = daysOf(MONTH);
      const month = await plansOf(app, (tx) => meter.byteMs(tx, organizationId, [...days, MONTH.end]));
      const day = await plansOf(app, (tx) => meter.byteMs(tx, organizationId, [MONTH.start, days[1]!]));
      expect(rowsHandled(month[0]!)).toBeLessThan(40_000);
      expect(rowsHandled(month[0]!)).toBeLessThan(2 * rowsHandled(day[0]!));
    });

    // red when: the statement reads all intervals to find their organizations
    it('is found for the nightly charge by a few rows of each organization', async () => {
      const idle = await createsOrganization();
      const found: string[] = [];
      const [plan] = await plansOf(app, async (tx) => {
        found.push(...(await meter.findOrganizationsSince(tx, MONTH.start, { shard: null, after: null, limit: 100 })));
      });
      expect(found).toContain(organizationId);
      expect(found).not.toContain(idle);
      expect(rowsHandled(plan!)).toBeLessThan(1_000);
    });
  });
});
