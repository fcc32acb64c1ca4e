import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { Developer, scope } from '../support/actors/actors';
import { TestApp } from '../support/app/test-app';
import { ServerProcess } from '../support/processes/server-process';
import { PgBouncer } from './pgbouncer';

const IGNORED = 'ignore_startup_parameters = statement_timeout,lock_timeout,idle_in_transaction_session_timeout';
const WARNING = 'The database connection has no timeouts';
const MAC = { platform: 'macos', version: '1.0' };

/** The application of the test is the worker, with direct connections; the process under test is an API process behind the pooler. */
describe('an API process behind PgBouncer in transaction mode', () => {
  let app: TestApp;
  const stops: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  });
  afterAll(() => app.stop());

  const startsPooler = async (...settings: string[]): Promise<PgBouncer> => {
    const pooler = await PgBouncer.start(app.database.url, settings);
    stops.push(() => pooler.stop());
    return pooler;
  };
  const launches = async ({ url }: PgBouncer): Promise<ServerProcess> => {
    const place = { dataDirectory: app.dataDirectory, database: { url } };
    const environment = { ROLE: 'api', MIGRATE_ON_START: 'false', DATABASE_PREPARE: 'false' };
    const server = await ServerProcess.launch(place, environment);
    stops.push(() => server.kill());
    return server;
  };
  /** Runs the statements of the warning as the owner, who may change the role. */
  const setsTimeouts = async (statements: string): Promise<void> => {
    const client = new Client({ connectionString: process.env['AGATE_TEST_POSTGRES'] });
    await client.connect();
    await client.query(statements).finally(() => client.end());
  };

  // red when: the message of a refused start does not say what to configure
  it('does not start when the pooler refuses the timeouts, and says what to configure', async () => {
    const server = await launches(await startsPooler());
    await expect(server.ready()).rejects.toThrow('ignore_startup_parameters');
  });

  it('serves, warns that it has no timeouts, and has them after the statements of the warning', async () => {
    const server = await launches(await startsPooler(IGNORED));
    await server.ready();
    const line = server.lines.find((text) => text.includes(WARNING));
    const statements = /Run as the owner: (.*;)"/.exec(line ?? '')?.[1];
    expect(statements).toMatch(
      /^ALTER ROLE \S+ SET statement_timeout = '10s'; ALTER ROLE \S+ SET lock_timeout = '5s';/,
    );

    const ann = await app.developer();
    const project = await ann.createsProject(await ann.createsOrganization());
    const pooled = await Developer.logIn(server.url, ann.email, ann.password);
    const uploads = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        pooled.uploads(project, { bytes: randomBytes(10_000 + n), fileName: 'Demo.dmg' }, MAC),
      ),
    );
    for (const { id } of uploads) {
      const { body } = await pooled.post(`/builds/${id}/download-url?${scope(project)}`).expect(200);
      expect((await fetch(server.url + new URL((body as { url: string }).url).pathname)).status).toBe(200);
    }
    const { body: list } = await pooled.get(`/builds?${scope(project)}`).expect(200);
    expect((list as { items: object[] }).items).toHaveLength(6);
    expect((await fetch(`${server.url}/api/v1/ready`)).status).toBe(200);

    await setsTimeouts(statements!);
    try {
      const pooler = await startsPooler(IGNORED);
      const restarted = await launches(pooler);
      await restarted.ready();
      expect(restarted.lines.join('\n')).not.toContain(WARNING);
      const client = new Client({ connectionString: pooler.url });
      await client.connect();
      await expect(client.query('SHOW statement_timeout').finally(() => client.end())).resolves.toMatchObject({
        rows: [{ statement_timeout: '10s' }],
      });
    } finally {
      await setsTimeouts(statements!.replace(/SET (\w+) = '\w+'/g, 'RESET $1'));
    }
  });
});
