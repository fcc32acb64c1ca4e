import { AUDITED_ROUTES } from '../../support/checks/audited-routes';
import { ON_THIS_MACHINE } from '../../support/actors/byosa';
import { mutatingRoutes, nameOf, prepareRequest, routeNameOf } from '../../support/load/prepared-request';
import { createTenant } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';

const CHANGING = Object.entries(AUDITED_ROUTES).filter(([, { events }]) => events.length > 0);

/** Every mutating route repeats its transaction after a serialization failure or deadlock, without an error to the client. */
describe('three serialization failures or deadlocks in a row', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start({ worker: false, environment: ON_THIS_MACHINE });
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

  const clashing = async <T>(work: () => Promise<T>): Promise<T> => {
    await app.sql(`SELECT setval('clash', 1, false)`);
    await app.sql('ALTER TABLE audit_event ENABLE TRIGGER zz_clash');
    try {
      return await work();
    } finally {
      await app.sql('ALTER TABLE audit_event DISABLE TRIGGER zz_clash');
    }
  };

  // red when: MAX_ATTEMPTS of Transactions is 3, or a service opens a transaction in any other way
  it.each(CHANGING)('do not change the response of %s', async (name, row) => {
    const route = mutatingRoutes(app).find((each) => nameOf(each) === routeNameOf(name))!;
    const request = await prepareRequest(app, await createTenant(app), route, row);
    const before = await app.sql('SELECT type FROM audit_event');
    const answer = await clashing(() => request());
    if (answer.status !== row.status) expect([answer.text, Math.floor(answer.status / 100)]).toEqual([answer.text, 2]);
    const [{ clashes }] = (await app.sql<{ clashes: number }>('SELECT last_value::int AS clashes FROM clash')) as [
      { clashes: number },
    ];
    expect(clashes).toBe(3 + row.events.length);
    expect(await app.sql('SELECT type FROM audit_event')).toHaveLength(before.length + row.events.length);
  });
});
