import { randomUUID } from 'node:crypto';
import { ON_THIS_MACHINE } from '../../support/actors/byosa';
import { createTenant, type Tenant } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { AUDITED_ROUTES } from '../../support/checks/routes/audited-routes';
import { DocumentedStatus } from '../../support/checks/routes/documented-status';
import { tableDigests } from '../../support/checks/table-digests';
import { mutatingRoutes, nameOf, prepareRequest, routeNameOf } from '../../support/load/prepared-request';

describe('every mutating route', () => {
  let app: TestApp;
  let tenant: Tenant;
  let documented: DocumentedStatus;
  beforeAll(async () => {
    // Without a worker, every change of a table comes from the request.
    app = await TestApp.start({ worker: false, environment: ON_THIS_MACHINE });
    documented = new DocumentedStatus(app.nest);
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    tenant = await createTenant(app);
  });

  // red when: a route is added without a line in test/support/checks/routes/audited-routes.ts
  it('is listed with its audit events', () => {
    const listed = [...new Set(Object.keys(AUDITED_ROUTES).map(routeNameOf))];
    expect(listed.sort()).toEqual(mutatingRoutes(app).map(nameOf).sort());
  });

  const countEvents = async (): Promise<number> =>
    (await app.sql<{ count: number }>('SELECT count(*)::int AS count FROM audit_event'))[0]!.count;

  /** Triggers that let the last statements before the commit fail: the insert of the event, or the storing of the response. */
  const FAILURES = {
    'no event': `INSERT ON audit_event FOR EACH ROW WHEN (NEW.position IS NOT NULL)`,
    'no response': `UPDATE ON idempotency_record FOR EACH ROW WHEN (NEW.state = 'done')`,
  };
  const whileFailing = async <T>(what: keyof typeof FAILURES, work: () => Promise<T>): Promise<T> => {
    const [, table] = / ON (\w+)/.exec(FAILURES[what])!;
    await app.sql(`CREATE OR REPLACE FUNCTION reject_row() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN RAISE EXCEPTION '${what}'; END $$`);
    await app.sql(`CREATE TRIGGER zz_reject BEFORE ${FAILURES[what]} EXECUTE FUNCTION reject_row()`);
    try {
      return await work();
    } finally {
      await app.sql(`DROP TRIGGER zz_reject ON ${table}`);
    }
  };

  // red when: a service records after its transaction, twice, or not at all; or the recorder uses a transaction of its own
  it.each(Object.entries(AUDITED_ROUTES))(
    'records its events in the transaction of its change: %s',
    async (name, row) => {
      const route = mutatingRoutes(app).find((each) => nameOf(each) === routeNameOf(name))!;
      const request = await prepareRequest(app, tenant, route, row);
      const before = await tableDigests(app, row.besides);
      const changesNothing = async (what: keyof typeof FAILURES): Promise<void> => {
        const keyless = what === 'no event';
        expect((await whileFailing(what, () => request({ keyless }))).status).toBe(500);
        expect(await tableDigests(app, row.besides)).toEqual(before);
      };
      if (row.events.length > 0) await changesNothing('no event');
      if (route.idempotent) await changesNothing('no response');

      const count = await countEvents();
      const requestId = randomUUID();
      const response = await request({ requestId });
      expect([response.text, response.status]).toEqual([response.text, row.status ?? documented.of(route)]);
      const recorded = await app.sql(
        `SELECT type FROM audit_event WHERE payload ->> 'client_request_id' = $1 ORDER BY id`,
        [requestId],
      );
      expect(recorded).toEqual(row.events.map((type) => ({ type })));
      expect(await countEvents()).toBe(count + row.events.length);
    },
  );
});
