import { randomBytes } from 'node:crypto';
import { Transactions } from '#infra/database/transactions';
import { OrganizationSchedules } from '#infra/jobs/shards/organization-schedules';
import { BillingService, OperatorBillingService } from '#modules/billing';
import { ReservationsService } from '../../../src/modules/billing/reservations/reservations.service';
import { type BuildJson, Developer, type ProjectRef, scope } from '../../support/actors/actors';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { faultsOf, operator, setBalance } from '../../support/checks/billing-consistency';
import { until } from '../../support/until';

const MB = 1_000_000;
/** The cost of a download of the build: 1 MB at 120 micro-dollars. */
const DOWNLOAD = 120n;
const PARALLEL = 50;

/**
 * Races that requests cannot provoke, on two instances of the application: a request either settles or releases a reservation, a job
 * marks expired reservations, and operators use the command line. Races of requests are tested with real processes, in
 * test/endurance/billing/billing-races.spec.ts.
 */
describe('billing without requests, under concurrency', () => {
  let apps: [TestApp, TestApp];
  let ann: Developer;
  let project: ProjectRef;
  let build: BuildJson;

  beforeAll(async () => {
    const app = await TestApp.start({ worker: false });
    apps = [app, await TestApp.start({ beside: app, worker: false })];
  });
  beforeEach(async () => {
    // For each test, because some tests advance the clock past the end of a session.
    ann = await verifiedDeveloper(apps[0]);
    project = await ann.createsProject(await ann.createsOrganization());
    build = await uploads('1');
  });
  afterEach(async () => expect(await faultsOf(apps[0])).toEqual([]));
  afterAll(async () => {
    await apps[1].stop();
    await apps[0].stop();
  });

  const uploads = (version: string): Promise<BuildJson> =>
    ann.uploads(project, { bytes: randomBytes(MB), fileName: 'Demo.dmg' }, { platform: 'macos', version });
  const mint = () => ann.post(`/builds/${build.id}/download-url?${scope(project)}`);
  const billing = (n = 0): BillingService => apps[n % 2]!.nest.get(BillingService);
  const operations = (n = 0): OperatorBillingService => apps[n % 2]!.nest.get(OperatorBillingService);
  const account = () => operations().show(operator(apps[0]), project.organizationId);
  const reserves = async (): Promise<string> => {
    const request = { organizationId: project.organizationId, kind: 'download', sizeBytes: MB } as const;
    return (await billing().reserve(operator(apps[0]), request)).id;
  };
  const times = <T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, n) => work(n)));
  /** The number of statements that wait for a lock. */
  const waiting = async (): Promise<number> => {
    const statement = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return (await apps[0].sql(statement)).length;
  };
  const audit = (type: string) =>
    apps[0].sql(`SELECT FROM audit_event WHERE type = $1 AND organization_id = $2`, [type, project.organizationId]);

  // red when: resolve does not check the state of the reservation
  it.each([
    ['open', 0],
    ['expired', 31],
  ])(
    'resolves an %s reservation once when 50 concurrent calls settle, release and expire it',
    async (_name, minutes) => {
      const ctx = operator(apps[0]);
      const id = await reserves();
      const { balanceMicroUsd } = await account();
      await apps[0].clock.advance({ minutes });
      const reservations = (n: number) => apps[n % 2]!.nest.get(ReservationsService);
      const resolved = await times(PARALLEL, async (n) => {
        if (n % 3 === 0) return (await billing(n).settle(ctx, id, MB)) && 'settled';
        if (n % 3 === 1) return (await billing(n).release(ctx, id)) && 'released';
        return (await reservations(n).expireAll(ctx), false);
      });
      const [outcome, ...others] = resolved.filter((result) => result !== false);
      expect(outcome).toBeDefined();
      expect(others).toEqual([]);
      const after = await account();
      expect(after.reservedMicroUsd).toBe(0n);
      expect(after.balanceMicroUsd).toBe(outcome === 'settled' ? balanceMicroUsd - DOWNLOAD : balanceMicroUsd);
    },
  );

  // red when: the settlement uses the state that the reservation had before it waited for the account, and returns its credit again
  it('returns the credit of a reservation once when it expires while its settlement waits for the account', async () => {
    const ctx = operator(apps[1]);
    const id = await reserves();
    const { balanceMicroUsd } = await account();
    await apps[0].clock.advance({ minutes: 31 });
    let settled: Promise<boolean> | undefined;
    await apps[1].nest.get(Transactions).run(ctx, async (tx) => {
      await apps[1].nest.get(ReservationsService).expireAll(tx);
      settled = billing(0).settle(operator(apps[0]), id, MB);
      await until(async () => (await waiting()) === 1);
    });
    expect(await settled).toBe(true);
    expect(await account()).toMatchObject({ reservedMicroUsd: 0n, balanceMicroUsd: balanceMicroUsd - DOWNLOAD });
  });

  // red when: resolve does not check the state of the reservation
  it('books a settlement once when it is repeated 20 times', async () => {
    const id = await reserves();
    const { balanceMicroUsd } = await account();
    const settled = await times(20, (n) => billing(n).settle(operator(apps[0]), id, MB));
    expect(settled.filter(Boolean)).toHaveLength(1);
    expect((await account()).balanceMicroUsd).toBe(balanceMicroUsd - DOWNLOAD);
  });

  // red when: markPaid does not check for state = 'pending'
  it('books an approved top-up and a grant once each when they are repeated concurrently', async () => {
    const ctx = operator(apps[0]);
    const { organizationId } = project;
    const { balanceMicroUsd } = await account();
    const requested = await ann.post(`/organizations/${organizationId}/billing/top-ups`, {
      amount_micro_usd: 7_000_000,
    });
    const { id } = requested.body as { id: string };
    const grant = { amountMicroUsd: 500n, reference: 'sorry' };
    const outcomes = await times(20, (n) => {
      const own = operations(n >> 1);
      const work = n % 2 === 0 ? own.approveTopUp(ctx, id) : own.grantCredit(ctx, organizationId, grant);
      return work.then(
        () => true,
        () => false,
      );
    });
    expect(outcomes.filter(Boolean)).toHaveLength(2);
    expect((await account()).balanceMicroUsd).toBe(balanceMicroUsd + 7_000_000n + 500n);
    expect(await audit('billing.top_up_paid')).toHaveLength(1);
    expect(await audit('billing.credit_granted')).toHaveLength(1);
  });

  // red when: a charge does not check whether the organization is metered, or setMetered leaves an interval open
  it('rejects, reserves and charges nothing while an organization is not metered', async () => {
    const { organizationId } = project;
    await setBalance(apps[0], organizationId, 0n);
    await mint().expect(402);
    await billing().setMetered(operator(apps[0]), organizationId, false);
    const { url } = (await mint().expect(200)).body as { url: string };
    await apps[0].anonymous.get(new URL(url).pathname).expect(200);
    const extra = await uploads('3');
    await apps[0].clock.advance({ days: 2 });
    await apps[0].nest.get(OrganizationSchedules).runAll(operator(apps[0]), 'billing.accrue-storage');
    expect(await account()).toMatchObject({ openMicroUsd: 0n, metered: false });
    const openIntervals = () =>
      apps[0].sql<{ build_id: string }>(
        `SELECT build_id FROM storage_interval WHERE organization_id = $1 AND ended_at IS NULL`,
        [organizationId],
      );
    expect(await openIntervals()).toEqual([]);

    await billing().setMetered(operator(apps[0]), organizationId, true);
    expect((await openIntervals()).map(({ build_id }) => build_id).sort()).toEqual([build.id, extra.id].sort());
    ann = await Developer.logIn(apps[0].url, ann.email, ann.password);
    await mint().expect(402);
  });
});
