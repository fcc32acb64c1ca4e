import { randomUUID } from 'node:crypto';
import { ON_THIS_MACHINE } from '../../support/actors/byosa';
import { createTenant } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { AUDITED_ROUTES } from '../../support/checks/routes/audited-routes';
import { DocumentedStatus } from '../../support/checks/routes/documented-status';
import { mutatingRoutes, nameOf, prepareRequest, routeNameOf } from '../../support/load/prepared-request';

const CHANGING = Object.entries(AUDITED_ROUTES).filter(([, { events }]) => events.length > 0);

/** Every mutating route repeats its transaction after a serialization failure or deadlock, without an error to the client. */
describe('serialization failures and deadlocks', () => {
  let app: TestApp;
  let documented: DocumentedStatus;
  beforeAll(async () => {
    app = await TestApp.start({ worker: false, environment: ON_THIS_MACHINE });
    documented = new DocumentedStatus(app.nest);
    await app.sql('CREATE SEQUENCE clash');
    // A rollback does not reset a sequence. The audit event is the last row of a transaction.
    await app.sql(`CREATE FUNCTION clash() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
      DECLARE n int := nextval('clash');
      BEGIN
        IF n > 3 THEN RETURN NEW; END IF;
        RAISE EXCEPTION 'forced' USING ERRCODE = CASE WHEN n = 2 THEN '40P01' ELSE '40001' END;
      END $$`);
    await app.sql(`CREATE TRIGGER zz_clash BEFORE INSERT ON audit_event FOR EACH ROW
      WHEN (NEW.position IS NOT NULL) EXECUTE FUNCTION clash()`);
    await app.sql('ALTER TABLE audit_event DISABLE TRIGGER zz_clash');
  });
  afterAll(() => app.stop());

  /** Makes the first three insertions of an audit event fail. */
  const clashing = async <T>(work: () => Promise<T>): Promise<T> => {
    await app.sql(`SELECT setval('clash', 1, false)`);
    await app.sql('ALTER TABLE audit_event ENABLE TRIGGER zz_clash');
    try {
      return await work();
    } finally {
      await app.sql('ALTER TABLE audit_event DISABLE TRIGGER zz_clash');
    }
  };

  /** The number of the last insertion. The first one that succeeds has number four. */
  const lastInsertion = async (): Promise<number> =>
    (await app.sql<{ last_value: string }>('SELECT last_value FROM clash')).map((row) => Number(row.last_value))[0]!;

  // red when: MAX_ATTEMPTS of Transactions is 3; Transactions.run does not repeat its work; a service opens a transaction in any other
  // way; an effect outside the database happens twice
  it.each(CHANGING)('three in a row do not change the response of %s, which has its effect once', async (name, row) => {
    const route = mutatingRoutes(app).find((each) => nameOf(each) === routeNameOf(name))!;
    const request = await prepareRequest(app, await createTenant(app), route, row);
    const before = await app.sql('SELECT type FROM audit_event');
    const requestId = randomUUID();
    const answer = await clashing(() => request({ requestId }));
    expect([answer.text, answer.status]).toEqual([answer.text, row.status ?? documented.of(route)]);
    expect(await lastInsertion()).toBe(3 + row.events.length);
    expect(await app.sql('SELECT type FROM audit_event')).toHaveLength(before.length + row.events.length);
    const events = await app.sql(
      `SELECT type FROM audit_event WHERE payload ->> 'client_request_id' = $1 ORDER BY id`,
      [requestId],
    );
    expect(events.map(({ type }) => type)).toEqual(row.events);
  });
});
