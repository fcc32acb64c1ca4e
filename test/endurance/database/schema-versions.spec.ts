import supertest from 'supertest';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '#infra/database/data-source-options';
import { migrateDatabase } from '#infra/database/migrations/migrate';
import { type Developer, type ProjectRef, scope } from '../../support/actors/actors';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { ipa } from '../../support/artifacts/valid-artifacts';
import { ServerProcess } from '../../support/processes/server-process';
import { until } from '../../support/until';

jest.setTimeout(180_000);

const LATER = 'The database was migrated by a later version';

/** During a rolling restart, code runs on a schema that it was not built for. */
describe('a service on a schema of another version', () => {
  let app: TestApp;
  let ann: Developer;
  let project: ProjectRef;
  let servers: ServerProcess[] = [];
  beforeAll(async () => {
    app = await TestApp.start({ worker: false });
    ann = await verifiedDeveloper(app);
    project = await ann.createsProject(await ann.createsOrganization());
  });
  afterEach(async () => {
    await Promise.all(servers.map((server) => server.kill()));
    servers = [];
  });
  afterAll(() => app.stop());

  const starts = async (environment: Readonly<Record<string, string>> = {}): Promise<ServerProcess> => {
    const server = await ServerProcess.start(app, { ROLE: 'api', ...environment });
    servers.push(server);
    return server;
  };
  const readiness = async ({ url }: { readonly url: string }): Promise<Record<string, string>> => {
    const { body, status } = await supertest(url).get('/api/v1/ready');
    const { checks } = body as { checks: { name: string; status: string }[] };
    return { status: String(status), migrations: checks.find(({ name }) => name === 'migrations')!.status };
  };
  const isReady = { status: '200', migrations: 'ok' };
  const isTooOld = { status: '503', migrations: 'failed' };

  /** Waits for the process's ready line, because the machine may be busy. */
  const untilReadiness = async (server: { readonly url: string }, wanted: object): Promise<void> => {
    await until(async () => JSON.stringify(await readiness(server)) === JSON.stringify(wanted));
  };

  /** Ordinary use: reads and writes in most tables. */
  const isServed = async ({ url }: { readonly url: string }): Promise<void> => {
    const { token } = (
      await supertest(url).post('/api/v1/login/email').send({ email: ann.email, password: ann.password }).expect(200)
    ).body as { token: string };
    const as = (method: 'get' | 'post', path: string): supertest.Test =>
      supertest(url)[method](`/api/v1${path}`).set('Authorization', `Bearer ${token}`);
    const { body } = await as('post', `/builds?${scope(project)}`)
      .attach('file', ipa(), 'Demo.ipa')
      .expect(201);
    await as('get', `/builds?${scope(project)}`).expect(200);
    const minted = await as('post', `/builds/${(body as { id: string }).id}/download-url?${scope(project)}`).expect(
      200,
    );
    await supertest(url)
      .get(new URL((minted.body as { url: string }).url).pathname)
      .expect(200);
  };

  // red when: readiness requires exactly the migrations it knows; a statement names no columns (INSERT INTO build VALUES …)
  it('keeps running and starts on a schema that is one release newer and expanded by the rules', async () => {
    const before = await starts();
    const tables = await app.sql<{ name: string }>(
      `SELECT relname AS name FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND relname <> 'migration'`,
    );
    for (const { name } of tables) {
      // The audit chain hashes all columns, so a migration that adds a column to audit_event must change that function too.
      if (name.startsWith('audit_')) continue;
      await app.sql(
        `ALTER TABLE ${name} ADD COLUMN of_the_next_release text, ADD COLUMN also_new integer NOT NULL DEFAULT 1`,
      );
    }
    await app.sql('CREATE TABLE of_the_next_release (id uuid PRIMARY KEY)');
    await app.sql(`INSERT INTO migration (timestamp, name) VALUES (9999999999999, 'OfTheNextRelease9999999999999')`);

    expect(await readiness(before)).toEqual(isReady);
    await isServed(before);
    const after = await starts();
    await untilReadiness(after, isReady);
    await isServed(after);
    expect(before.lines.join()).not.toContain(LATER);
    expect(after.lines.join()).toContain(`${LATER}: 1 unknown migrations`);
    await app.sql(`DELETE FROM migration WHERE timestamp = 9999999999999`);
  });

  // red when: readiness looks for pending migrations only, so that a version that was rolled back says that it is ready
  it('is not ready on a schema that a later version made without what this version uses', async () => {
    const server = await starts();
    await untilReadiness(server, isReady);
    const insert = `INSERT INTO migration (timestamp, name, min_version) VALUES (9999999999999, 'Drops9999999999999', $1)`;
    await app.sql(insert, ['0.0.1']);
    await untilReadiness(server, isReady);
    await app.sql(`UPDATE migration SET min_version = '99.10.0' WHERE timestamp = 9999999999999`);
    await untilReadiness(server, isTooOld);
    await supertest(server.url).get('/api/v1/live').expect(200);
    await app.sql(`DELETE FROM migration WHERE timestamp = 9999999999999`);
    await untilReadiness(server, isReady);
  });

  // red when: readiness ignores pending migrations, or checks them only at the start
  it('is live but not ready on an older schema with MIGRATE_ON_START=false, and ready after the migration', async () => {
    const dataSource = await new DataSource(dataSourceOptions(app.database.ownerUrl, 2)).initialize();
    await dataSource.undoLastMigration().finally(() => dataSource.destroy());

    const server = await starts({ MIGRATE_ON_START: 'false' });
    await supertest(server.url).get('/api/v1/live').expect(200);
    expect(await readiness(server)).toEqual(isTooOld);
    expect(await migrateDatabase(app.database.ownerUrl, app.database.url)).toBe(1);
    await untilReadiness(server, isReady);
    await isServed(server);
  });
});
