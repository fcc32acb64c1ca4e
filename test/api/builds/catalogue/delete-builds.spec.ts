import { randomBytes, randomUUID } from 'node:crypto';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Jobs } from '#infra/jobs/jobs';
import { BillingService } from '#modules/billing';
import { type BuildJson, scope } from '../../../support/actors/actors';
import { createTenant, type Tenant } from '../../../support/actors/tenant';
import { TestApp } from '../../../support/app/test-app';

interface DeletionsJson {
  readonly deleted: number;
  readonly builds: { readonly id: string; readonly outcome: string; readonly channels: unknown[] }[];
}

describe('deleting several builds', () => {
  let app: TestApp;
  let tenant: Tenant;
  let query: string;

  beforeAll(async () => {
    app = await TestApp.start();
    tenant = await createTenant(app);
    query = scope(tenant.project);
  });
  afterAll(() => app.stop());

  const uploads = (): Promise<BuildJson> =>
    tenant.admin.uploads(
      tenant.project,
      { bytes: randomBytes(2000), fileName: 'App.dmg' },
      { platform: 'macos', version: randomUUID() },
    );
  const deletes = (ids: unknown, by: Pick<Tenant['admin'], 'post'> = tenant.admin) =>
    by.post(`/builds/delete?${query}`, { ids, permanently: true });

  // red when: a build that stays makes the others stay, too
  it('deletes builds that are not current, and says why the others stay', async () => {
    const [first, second] = [await uploads(), await uploads()];
    const other = await createTenant(app);
    const unknown = randomUUID();
    const ids = [second.id, tenant.build.id, unknown, first.id.toUpperCase(), other.build.id];
    const body = (await deletes(ids).expect(200)).body as DeletionsJson;
    const channel = { id: tenant.channel.id, name: tenant.channel.name, current: true };
    expect(body).toEqual({
      deleted: 2,
      remaining: 0,
      fingerprint: null,
      frees_bytes_at: null,
      builds: [
        { id: second.id, outcome: 'deleted', channels: [], frees_bytes_at: null },
        { id: tenant.build.id, outcome: 'current', channels: [channel], frees_bytes_at: null },
        { id: unknown, outcome: 'not_found', channels: [], frees_bytes_at: null },
        { id: first.id, outcome: 'deleted', channels: [], frees_bytes_at: null },
        { id: other.build.id, outcome: 'not_found', channels: [], frees_bytes_at: null },
      ],
    });
    for (const { id } of [first, second]) await tenant.admin.get(`/builds/${id}?${query}`).expect(404);
    await tenant.admin.get(`/builds/${tenant.build.id}?${query}`).expect(200);
    await other.admin.get(`/builds/${other.build.id}?${scope(other.project)}`).expect(200);
    const again = (await deletes([first.id]).expect(200)).body as DeletionsJson;
    expect(again).toMatchObject({
      deleted: 0,
      builds: [{ id: first.id, outcome: 'not_found', channels: [], frees_bytes_at: null }],
    });
  });

  it('stops the meters, and records an event for each build', async () => {
    const builds = [await uploads(), await uploads()];
    const ids = builds.map(({ id }) => id);
    await deletes(ids).expect(200);
    const events = await app.sql(
      `SELECT payload->>'build_id' AS id FROM audit_event WHERE type = 'build.deleted' AND payload->>'build_id' = ANY ($1)`,
      [ids],
    );
    expect(events.map(({ id }) => id).sort()).toEqual([...ids].sort());
  });

  // red when: the account is locked while other rows are deleted, or for each build: downloads of the organization wait for the lock
  it('locks the billing account once, after all other work', async () => {
    const ids = [(await uploads()).id, (await uploads()).id, (await uploads()).id];
    const of = <T extends object>(service: abstract new (...args: never[]) => T): T =>
      app.nest.get(service as never, { strict: false });
    const work = [
      jest.spyOn(of(AuditRecorder), 'recordAll'),
      jest.spyOn(of(Jobs), 'enqueueAll'),
      jest.spyOn(of(BillingService), 'endStorage'),
    ];
    try {
      await deletes(ids).expect(200);
      // The worker enqueues jobs of its own.
      const order = work.map(({ mock }) =>
        mock.invocationCallOrder.filter((_, call) => mock.calls[call]![0].identity.kind !== 'system'),
      );
      expect(order.map(({ length }) => length)).toEqual([1, 1, 1]);
      expect(order.flat().at(-1)).toBe(Math.max(...order.flat()));
    } finally {
      jest.restoreAllMocks();
    }
    const open = 'SELECT FROM storage_interval WHERE build_id = ANY ($1) AND ended_at IS NULL';
    expect(await app.sql(open, [ids])).toEqual([]);
    expect(await app.sql('SELECT FROM stored_build WHERE build_id = ANY ($1)', [ids])).toEqual([]);
  });

  it('deletes a build that is in the history of a channel only', async () => {
    const [old, current] = [await uploads(), await uploads()];
    for (const build of [old, current]) await tenant.admin.promotes(tenant.project, tenant.channel, build);
    const body = (await deletes([old.id, current.id]).expect(200)).body as DeletionsJson;
    expect(body.builds.map(({ outcome }) => outcome)).toEqual(['deleted', 'current']);
  });

  it('takes one to a hundred different ids', async () => {
    const id = randomUUID();
    for (const ids of [[], [id, id], ['x'], Array.from({ length: 101 }, () => randomUUID()), undefined, id])
      expect((await deletes(ids).expect(400)).body).toMatchObject({
        error: 'validation_error',
        details: { fields: [{ field: 'ids' }] },
      });
    await deletes(Array.from({ length: 100 }, () => randomUUID())).expect(200);
  });

  it('needs MANAGE_RELEASES', async () => {
    const manager = app.ci(await tenant.admin.createsToken(tenant.project, 'MANAGE_TESTERS'));
    expect((await deletes([tenant.build.id], manager as never).expect(403)).body).toMatchObject({
      error: 'insufficient_role',
    });
  });
});
