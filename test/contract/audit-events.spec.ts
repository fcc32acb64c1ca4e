import { randomUUID } from 'node:crypto';
import { type DeclaredRoute, declaredRoutes } from '#app/routes';
import { AUDITED_ROUTES, type AuditedRoute } from '../support/audited-routes';
import { type RawAnswer } from '../support/raw-http';
import { ask, idsOf } from '../support/route-requests';
import { settleTenant, type Tenant } from '../support/tenant';
import { TestApp } from '../support/test-app';

/** How a route stands in the table. */
const nameOf = ({ method, path }: DeclaredRoute): string => `${method} ${path}`;
const routeName = (row: string): string => row.replace(/ \(.*\)$/, '');

/** Every route that changes something records it, in the transaction of the change (contract §12; reliability J1). */
describe('the audit events of', () => {
  let app: TestApp;
  let tenant: Tenant;
  beforeAll(async () => {
    // Nobody works in the background: what differs after a request, the request has done.
    app = await TestApp.start({ worker: false });
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    tenant = await settleTenant(app);
  });

  const mutating = (): DeclaredRoute[] =>
    declaredRoutes(app.nest).filter(({ method }) => !['GET', 'HEAD'].includes(method));

  // red when: a route is added without a line in test/support/audited-routes.ts
  it('every route that changes something are in the table', () => {
    const listed = [...new Set(Object.keys(AUDITED_ROUTES).map(routeName))];
    expect(listed.sort()).toEqual(mutating().map(nameOf).sort());
  });

  /** One request of a row, which can be made again and again. */
  const requestOf = async (route: DeclaredRoute, { prepare }: AuditedRoute) => {
    const { ids, body = {}, contentType, token = tenant.admin.token } = await prepare(app, tenant);
    const key = randomUUID();
    return (requestId: string = randomUUID()): Promise<RawAnswer> =>
      ask(app.url, route, {
        ids: ids ?? idsOf(tenant, route),
        body: typeof body === 'string' ? body : JSON.stringify(body),
        ...(contentType && { contentType }),
        headers: {
          'X-Request-Id': requestId,
          ...(token && { Authorization: `Bearer ${token}` }),
          ...(route.idempotent && { 'Idempotency-Key': key }),
        },
      });
  };

  /** A digest of every table, the queue's too; without those that are written outside the transaction. */
  const state = async (besides: readonly string[] = []): Promise<Record<string, string>> => {
    const tables = await app.sql<{ name: string }>(
      `SELECT format('%I.%I', nspname, relname) AS name FROM pg_class JOIN pg_namespace AS n ON n.oid = relnamespace
       WHERE relkind IN ('r', 'p') AND NOT relispartition AND NOT (relname = ANY($1))
         AND (nspname = 'public' OR relname = '_private_jobs') ORDER BY 1`,
      [besides],
    );
    const digests = tables.map(
      ({ name }) =>
        `SELECT '${name}' AS name, md5(string_agg(t::text, '|' ORDER BY t::text)) AS digest FROM ${name} AS t`,
    );
    const rows = await app.sql<{ name: string; digest: string }>(digests.join(' UNION ALL '));
    return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
  };

  const countEvents = async (): Promise<number> =>
    (await app.sql<{ count: number }>('SELECT count(*)::int AS count FROM audit_event'))[0]!.count;

  /** No event can be written: the last one moment before the commit, when all else is done. */
  const withoutAudit = async <T>(work: () => Promise<T>): Promise<T> => {
    await app.sql(`CREATE OR REPLACE FUNCTION refuse_audit() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN RAISE EXCEPTION 'the audit feed is full'; END $$`);
    await app.sql(`CREATE TRIGGER zz_refuse BEFORE INSERT ON audit_event FOR EACH ROW
      WHEN (NEW.position IS NOT NULL) EXECUTE FUNCTION refuse_audit()`);
    try {
      return await work();
    } finally {
      await app.sql('DROP TRIGGER zz_refuse ON audit_event');
    }
  };

  // red when: a service records after its transaction, in one of its own, twice, or not at all
  it.each(Object.entries(AUDITED_ROUTES))('%s', async (name, row) => {
    const route = mutating().find((each) => nameOf(each) === routeName(name))!;
    const request = await requestOf(route, row);
    if (row.events.length > 0) {
      const before = await state(row.besides);
      expect((await withoutAudit(() => request())).status).toBe(500);
      expect(await state(row.besides)).toEqual(before);
    }

    const count = await countEvents();
    const requestId = randomUUID();
    const done = await request(requestId);
    if (done.status !== row.status) expect([done.text, Math.floor(done.status / 100)]).toEqual([done.text, 2]);
    const recorded = await app.sql('SELECT type FROM audit_event WHERE request_id = $1 ORDER BY id', [requestId]);
    expect(recorded).toEqual(row.events.map((type) => ({ type })));
    expect(await countEvents()).toBe(count + row.events.length);

    if (!route.idempotent || row.noReplay) return;
    const after = await state();
    const replay = await request();
    expect(replay.headers['idempotency-replayed']).toBe('true');
    expect([replay.status, replay.text]).toEqual([done.status, done.text]);
    expect(await state()).toEqual(after);
  });
});
