import { randomUUID } from 'node:crypto';
import { AUDITED_ROUTES } from '../../support/checks/audited-routes';
import { ON_THIS_MACHINE } from '../../support/actors/byosa';
import { mutatingRoutes, nameOf, prepareRequest, routeNameOf } from '../../support/load/prepared-request';
import { tableDigests } from '../../support/checks/table-digests';
import { createTenant, type Tenant } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';

/** Every route that changes something records it, in the transaction of the change (contract §12; reliability J1). */
describe('the audit events of', () => {
  let app: TestApp;
  let tenant: Tenant;
  beforeAll(async () => {
    // Nobody works in the background: what differs after a request, the request has done.
    app = await TestApp.start({ worker: false, environment: ON_THIS_MACHINE });
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    tenant = await createTenant(app);
  });

  // red when: a route is added without a line in test/support/checks/audited-routes.ts
  it('every route that changes something are in the table', () => {
    const listed = [...new Set(Object.keys(AUDITED_ROUTES).map(routeNameOf))];
    expect(listed.sort()).toEqual(mutatingRoutes(app).map(nameOf).sort());
  });

  const countEvents = async (): Promise<number> =>
    (await app.sql<{ count: number }>('SELECT count(*)::int AS count FROM audit_event'))[0]!.count;

  /** A moment before the commit, when all else is done: the event, or after it the answer, cannot be written. */
  const LATE = {
    'no event': `INSERT ON audit_event FOR EACH ROW WHEN (NEW.position IS NOT NULL)`,
    'no answer': `UPDATE ON idempotency_record FOR EACH ROW WHEN (NEW.state = 'done')`,
  };
  const whileThereCanBe = async <T>(what: keyof typeof LATE, work: () => Promise<T>): Promise<T> => {
    const [, table] = / ON (\w+)/.exec(LATE[what])!;
    await app.sql(`CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN RAISE EXCEPTION 'there can be ${what}'; END $$`);
    await app.sql(`CREATE TRIGGER zz_refuse BEFORE ${LATE[what]} EXECUTE FUNCTION refuse()`);
    try {
      return await work();
    } finally {
      await app.sql(`DROP TRIGGER zz_refuse ON ${table}`);
    }
  };

  // red when: a service records after its transaction, twice, or not at all; the recorder writes in a transaction of its own
  it.each(Object.entries(AUDITED_ROUTES))('%s', async (name, row) => {
    const route = mutatingRoutes(app).find((each) => nameOf(each) === routeNameOf(name))!;
    const request = await prepareRequest(app, tenant, route, row);
    const before = await tableDigests(app, row.besides);
    const leavesNothing = async (what: keyof typeof LATE): Promise<void> => {
      const keyless = what === 'no event';
      expect((await whileThereCanBe(what, () => request({ keyless }))).status).toBe(500);
      expect(await tableDigests(app, row.besides)).toEqual(before);
    };
    if (row.events.length > 0) await leavesNothing('no event');
    if (route.idempotent) await leavesNothing('no answer');

    const count = await countEvents();
    const requestId = randomUUID();
    const done = await request({ requestId });
    if (done.status !== row.status) expect([done.text, Math.floor(done.status / 100)]).toEqual([done.text, 2]);
    const recorded = await app.sql('SELECT type FROM audit_event WHERE request_id = $1 ORDER BY id', [requestId]);
    expect(recorded).toEqual(row.events.map((type) => ({ type })));
    expect(await countEvents()).toBe(count + row.events.length);
  });
});
