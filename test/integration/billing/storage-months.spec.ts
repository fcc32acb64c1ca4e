import fc from 'fast-check';
import { newId } from '#kernel/ids';
import { Jobs } from '#infra/jobs/jobs';
import { OrganizationSchedules } from '#infra/jobs/shards/organization-schedules';
import { BillingService } from '#modules/billing';
import { UsageService } from '../../../src/modules/billing/usage/usage.service';
import { TestApp } from '../../support/app/test-app';
import { operator } from '../../support/checks/billing-consistency';

const DAY = 86_400_000;
const MONTHS = ['2026-08', '2026-09', '2026-10', '2026-11'];
const FIRST = Date.parse('2026-08-01T00:00:00Z');
const NOW = Date.parse('2026-11-20T10:00:00Z');

/** Times are milliseconds; `to` is null while the build is stored. */
interface Interval {
  readonly size: bigint;
  readonly from: number;
  readonly to: number | null;
}

describe('the storage of closed months', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start({ worker: false });
    await app.sql(`CREATE OR REPLACE FUNCTION app_now() RETURNS timestamptz LANGUAGE sql VOLATILE PARALLEL SAFE
      AS $$ SELECT timestamptz '${new Date(NOW).toISOString()}' $$`);
  });
  afterEach(() => app.sql('TRUNCATE storage_interval, stored_build, storage_month'));
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
  const openPeriod = (organizationId: string, period: string) =>
    app.sql('UPDATE billing_account SET open_period = $2 WHERE organization_id = $1', [organizationId, period]);
  const folds = (): Promise<void> => app.nest.get(OrganizationSchedules).runAll(operator(app), 'billing.fold-storage');
  const usages = (organizationId: string) =>
    Promise.all(MONTHS.map((month) => app.nest.get(UsageService).get(operator(app), organizationId, month)));
  const remaining = async (organizationId: string): Promise<number[]> =>
    (
      await app.sql<{ ended: Date | null }>(
        'SELECT ended_at AS ended FROM storage_interval WHERE organization_id = $1 AND ended_at IS NOT NULL ORDER BY 1',
        [organizationId],
      )
    ).map(({ ended }) => ended!.getTime());

  // red when: a month is not saved before its intervals are deleted; a saved month is computed again; a build that is still stored, or
  // that ended in an open month, loses its part of a closed one
  it('stays the same, day by day, when the intervals that ended in them are deleted, also in several steps', async () => {
    const [organizationId, neighbour] = [await createsOrganization(), await createsOrganization()];
    const day = fc.integer({ min: 0, max: 110 }).map((n) => FIRST + n * DAY);
    const time = fc.oneof(day, fc.integer({ min: FIRST, max: NOW }));
    const size = fc.oneof(fc.bigInt(0n, 3n), fc.bigInt(0n, 2n ** 40n));
    const interval = fc.record({ size, from: time, to: fc.option(time) }).map(({ size, from, to }): Interval => ({
      size,
      from: to === null ? from : Math.min(from, to),
      to: to === null ? null : Math.max(from, to),
    }));
    const steps = fc.subarray(['2026-09', '2026-10', '2026-11'], { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(fc.array(interval, { maxLength: 12 }), fc.array(interval), steps, async (own, others, open) => {
        await app.sql('TRUNCATE storage_interval, storage_month');
        await plant(organizationId, own);
        await plant(neighbour, others);
        await openPeriod(neighbour, '2026-08');
        const before = [await usages(organizationId), await usages(neighbour)];
        for (const period of open) {
          await openPeriod(organizationId, period);
          await folds();
          expect([await usages(organizationId), await usages(neighbour)]).toEqual(before);
          const start = Date.parse(`${period}-01T00:00:00Z`);
          const kept = own.flatMap(({ to }) => (to !== null && to > start ? [to] : [])).sort((a, b) => a - b);
          expect(await remaining(organizationId)).toEqual(kept);
        }
      }),
      { numRuns: 60 },
    );
    await openPeriod(organizationId, '2026-11');
    await openPeriod(neighbour, '2026-11');
  });

  // red when: intervals of an organization whose deletion left them, as that by an earlier release does, stay forever
  it('is forgotten when the organization is deleted without its intervals', async () => {
    const [organizationId, neighbour] = [await createsOrganization(), await createsOrganization()];
    const intervals = [{ size: 5n, from: FIRST, to: FIRST + DAY }];
    await plant(organizationId, [...intervals, { size: 6n, from: FIRST, to: null }]);
    await plant(neighbour, intervals);
    await app.sql('DELETE FROM organization WHERE id = $1', [organizationId]);
    const run = app.nest.get(Jobs).handlers.get('billing.fold-storage')!;
    await run(operator(app), {}, { id: '1', attempt: 1, signal: new AbortController().signal });
    expect(await app.sql('SELECT organization_id FROM storage_interval')).toEqual([{ organization_id: neighbour }]);
  });

  // red when: the intervals of a month that is not charged yet are deleted
  it('is not touched while the month is open, however long ago it ended', async () => {
    const organizationId = await createsOrganization();
    await plant(organizationId, [{ size: 5n, from: FIRST, to: FIRST + DAY }]);
    await openPeriod(organizationId, '2026-08');
    await folds();
    expect(await remaining(organizationId)).toEqual([FIRST + DAY]);
    expect(await app.sql('SELECT FROM storage_month')).toEqual([]);
    await openPeriod(organizationId, '2026-11');
  });
});
