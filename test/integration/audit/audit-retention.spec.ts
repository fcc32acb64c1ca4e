import { type RequestContext } from '#kernel/context/request-context';
import { newId } from '#kernel/ids';
import { OrganizationSchedules } from '#infra/jobs/shards/organization-schedules';
import { AuditChainService } from '#modules/audit';
import { BillingService } from '#modules/billing';
import { TestApp } from '../../support/app/test-app';

const DAY_MS = 86_400_000;

describe('audit retention', () => {
  let app: TestApp;
  let ctx: RequestContext;
  beforeAll(async () => {
    app = await TestApp.start();
    ctx = { requestId: 'request-1', sourceIp: null, identity: { kind: 'system', name: 'test' }, clock: app.clock };
    await plant(null, 410);
  });
  afterAll(() => app.stop());

  /** Created by SQL, without an audit event, so that the planted old events come first in the chain. */
  const organizationOn = async (plan: 'team' | 'business'): Promise<string> => {
    const id = newId();
    await app.sql(`INSERT INTO organization (id, name, created_at) VALUES ($1, 'Old', now())`, [id]);
    await app.nest.get(BillingService).openAccount(ctx, id);
    await app.sql('UPDATE billing_account SET plan = $2 WHERE organization_id = $1', [id, plan]);
    return id;
  };

  /** Inserts events that happened the given numbers of days ago, oldest first. */
  const plant = async (organizationId: string | null, ...daysAgo: number[]): Promise<void> => {
    for (const days of daysAgo)
      await app.sql(
        `INSERT INTO audit_event (id, organization_id, type, actor_kind, request_id, payload, time)
         VALUES (gen_random_uuid(), $1, 'build.uploaded', 'system', 'planted', $2, $3)`,
        [organizationId, { days }, new Date(app.clock.now().getTime() - days * DAY_MS)],
      );
  };

  const kept = async (organizationId: string | null): Promise<number[]> =>
    (
      await app.sql<{ days: number }>(
        `SELECT (payload ->> 'days')::float AS days FROM audit_event
         WHERE organization_id IS NOT DISTINCT FROM $1 AND request_id = 'planted' ORDER BY position`,
        [organizationId],
      )
    ).map(({ days }) => days);

  const pruned = async (organizationId: string): Promise<{ payload: Record<string, unknown>; actor_kind: string }[]> =>
    app.sql(
      `SELECT payload, actor_kind FROM audit_event WHERE type = 'audit.pruned' AND organization_id = $1 ORDER BY position`,
      [organizationId],
    );

  const verify = async (organizationId: string | null): Promise<void> =>
    expect((await app.nest.get(AuditChainService).verify(ctx, organizationId)).fault).toBeNull();

  const partitions = async (): Promise<string[]> =>
    (
      await app.sql<{ name: string }>(
        `SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
         WHERE inhparent = 'audit_event'::regclass ORDER BY 1`,
      )
    ).map(({ name }) => name);

  // red when: the retention depends on the plan while billing is off
  it('keeps events for 365 days on every plan while billing is off', async () => {
    const team = await organizationOn('team');
    await plant(team, 360, 45);
    const off = await TestApp.start({ beside: app, environment: { BILLING: 'off' }, worker: false });
    try {
      await off.nest.get(OrganizationSchedules).runAll(ctx, 'audit.retention');
    } finally {
      await off.stop();
    }
    expect(await kept(team)).toEqual([360, 45]);
  });

  // red when: the plans are swapped, or the anchor does not move past the deleted events
  it('deletes events after 30 days on Team and 365 days on Business, and keeps the chains intact', async () => {
    const [team, business, deleted] = [await organizationOn('team'), await organizationOn('business'), newId()];
    await plant(team, 300, 45, 31, 30.01, 29.99, 1);
    await plant(business, 360, 300, 45, 31, 1);
    await plant(deleted, 300, 45, 1);
    await app.runsJob('audit.retention');
    expect(await kept(team)).toEqual([29.99, 1]);
    expect(await kept(business)).toEqual([360, 300, 45, 31, 1]);
    expect(await kept(deleted)).toEqual([300, 45, 1]);
    for (const chain of [team, business, deleted, null]) await verify(chain);

    expect(await pruned(business)).toEqual([]);
    await app.runsJob('audit.retention');
    for (const chain of [team, business, deleted, null]) await verify(chain);
  });

  // red when: the loop over organizations ends at the first error
  it('prunes the other feeds when one cannot be pruned, and reports the error', async () => {
    const [broken, intact] = [await organizationOn('team'), await organizationOn('team')].sort() as [string, string];
    for (const id of [broken, intact]) await plant(id, 45, 1);
    await app.sql(`ALTER TABLE audit_anchor ADD CONSTRAINT ck_broken CHECK (chain_id <> '${broken}')`);
    const error: unknown = await app.nest
      .get(OrganizationSchedules)
      .runAll(ctx, 'audit.retention')
      .catch((thrown: unknown) => thrown);
    await app.sql('ALTER TABLE audit_anchor DROP CONSTRAINT ck_broken');
    expect(await kept(intact)).toEqual([1]);
    expect(error).toMatchObject({ errors: [{ message: broken, cause: { driverError: { constraint: 'ck_broken' } } }] });
    await app.runsJob('audit.retention');
    expect(await kept(broken)).toEqual([1]);
  });

  it('records one audit event per run that deletes events, and none otherwise', async () => {
    const id = await organizationOn('team');
    await plant(id, 50, 40, 31, 2);
    await app.runsJob('audit.retention');
    const [event, ...others] = await pruned(id);
    expect(others).toEqual([]);
    expect(event).toEqual({
      actor_kind: 'system',
      payload: { before: expect.any(String) as string, first_position: 1, last_position: 3, events: 3 },
    });
    await app.runsJob('audit.retention');
    expect(await pruned(id)).toHaveLength(1);
    // The application's role still cannot delete events.
    await expect(app.sql('DELETE FROM audit_event WHERE organization_id = $1', [id])).rejects.toMatchObject({
      code: '42501',
    });
    expect(await kept(id)).toEqual([2]);
    await verify(id);
  });

  // red when: a partition with events that must be kept is dropped, or an anchor does not move past the dropped events
  it('drops partitions older than the longest retention, and deletes such events of the default partition', async () => {
    const now = app.clock.now().getTime();
    await app.sql('SELECT audit_add_partitions($1, $2)', [new Date(now - 430 * DAY_MS), new Date(now - 400 * DAY_MS)]);
    const before = await partitions();
    const [business, other] = [newId(), newId()];
    await plant(business, 900, 425, 405, 10);
    await plant(other, 410, 404);
    await app.runsJob('audit.retention');
    await app.runsJob('audit.drop-partitions');
    expect(await kept(business)).toEqual([10]);
    expect(await kept(other)).toEqual([]);
    expect(await kept(null)).toEqual([]);
    expect(before.length - (await partitions()).length).toBeGreaterThanOrEqual(1);
    for (const chain of [business, other, null]) await verify(chain);
  });

  // red when: partitions are created by an operator only
  it('creates the partitions of the next months, so that the default partition stays empty', async () => {
    const organizationId = newId();
    for (let month = 0; month < 6; month += 1) {
      await app.clock.advance({ days: 30 });
      await plant(organizationId, 0);
      await app.runsJob('audit.retention');
    }
    expect(await kept(organizationId)).toHaveLength(6);
    expect(await app.sql('SELECT FROM audit_event_default WHERE organization_id = $1', [organizationId])).toEqual([]);
    expect(await partitions()).toContain(`audit_event_${app.clock.now().toISOString().slice(0, 7).replace('-', '_')}`);
  });

  // red when: audit_add_partitions fails for a month that already has events in the default partition
  it('works when the current month has no partition', async () => {
    await app.clock.advance({ days: 400 });
    const late = newId();
    await plant(late, 0);
    await app.runsJob('audit.retention');
    await plant(late, 0);
    expect(await kept(late)).toEqual([0, 0]);
    await verify(late);
  });
});
