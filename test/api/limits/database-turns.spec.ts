import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { type Developer, type ProjectRef, scope } from '../../support/actors/actors';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { ipa } from '../../support/artifacts/valid-artifacts';
import { rawRequest, type RawResponse } from '../../support/load/raw-http';
import { until } from '../../support/until';

/** A third of a pool of ten connections. */
const SHARE = 3;
const CROWD = 40;

/** Checks who waits without measuring time; `npm run bench tenant-neighbours` measures it. */
describe('turns for the database', () => {
  let app: TestApp;
  let owner: Client;
  let ann: Developer;
  let bob: Developer;
  let hot: ProjectRef;
  let other: ProjectRef;
  let page: string;
  beforeAll(async () => {
    app = await TestApp.start({ worker: false, environment: { RATE_LIMIT_FACTOR: '1', DATABASE_POOL_SIZE: '10' } });
    [ann, bob] = [await verifiedDeveloper(app), await verifiedDeveloper(app)];
    hot = await ann.createsProject(await ann.createsOrganization());
    other = await bob.createsProject(await bob.createsOrganization());
    const build = await bob.uploads(other, { bytes: ipa(), fileName: 'Demo.ipa' });
    page = new URL(build.install_url).pathname;
    owner = new Client({ connectionString: app.database.ownerUrl });
    await owner.connect();
  });
  afterEach(() => owner.query('ROLLBACK'));
  afterAll(async () => {
    await owner.end();
    await app.stop();
  });

  /** Makes every statement that reads or changes the table wait. */
  const block = async (table: string): Promise<void> => {
    await owner.query('BEGIN');
    await owner.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  };
  /** Each ends after five seconds, and is soon followed by another one. */
  const blockedStatements = async (): Promise<number> => {
    const statement = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return (await app.sql<{ count: number }>(statement))[0]!.count;
  };
  const crowd = (path: string, size = CROWD): Promise<RawResponse>[] =>
    Array.from({ length: size }, () =>
      rawRequest(`${app.url}/api/v1${path}`, { headers: { Authorization: `Bearer ${ann.token}` } }),
    );
  const expectOthersToBeServed = async (): Promise<void> => {
    await bob.get(`/projects?organization_id=${other.organizationId}`).expect(200);
    await bob
      .patch(`/projects/${other.id}?organization_id=${other.organizationId}`, { name: 'Still fast' })
      .expect(200);
    await bob.get('/organizations').expect(200);
    await app.anonymous.get('/api/v1/ready').expect(200);
    expect((await fetch(app.url + page)).status).toBe(200);
    const { email, password } = bob;
    await app.anonymous.post('/api/v1/login/email').send({ email, password }).expect(200);
  };

  // red when: connections are handed out in the order of arrival, or one organization may hold all of them
  it('serves other organizations and clients while the statements of one organization hang', async () => {
    await block('tester');
    const crowded = crowd(`/testers?${scope(hot)}`);
    await until(async () => (await blockedStatements()) >= SHARE);
    await expectOthersToBeServed();
    expect(await blockedStatements()).toBeLessThanOrEqual(SHARE);
    await owner.query('ROLLBACK');
    for (const { status } of await Promise.all(crowded)) expect([200, 503]).toContain(status);
    await ann.get(`/testers?${scope(hot)}`).expect(200);
  });

  // red when: searches hold all connections of their organization, so that its members and builds wait for them
  it.each(['testers?q=nobody', 'builds?q=nothing', 'builds?has_warnings=true'])(
    'serves other requests of an organization while its searches hang: %s',
    async (search) => {
      const [path, condition] = search.split('?') as [string, string];
      await block(path === 'builds' ? 'build' : 'tester');
      const crowded = crowd(`/${path}?${scope(hot)}&${condition}`);
      await until(async () => (await blockedStatements()) >= SHARE - 1);
      await ann.get(`/organizations/${hot.organizationId}/members`).expect(200);
      expect(await blockedStatements()).toBeLessThanOrEqual(SHARE - 1);
      await owner.query('ROLLBACK');
      for (const { status } of await Promise.all(crowded)) expect([200, 503]).toContain(status);
    },
  );

  // red when: a request with an Idempotency-Key begins its transaction before it waits for its place
  it('a heavy request that waits for its place holds no connection', async () => {
    const { body } = await ann.post(`/testers?${scope(hot)}`, { email: 'kim@example.com' }).expect(201);
    await block('tester');
    const exports = crowd(`/testers/export?${scope(hot)}`, 2);
    await until(async () => (await blockedStatements()) >= 2);
    const act = JSON.stringify({ action: 'erase', tester_ids: [(body as { id: string }).id] });
    const bulk = Array.from({ length: 4 }, () =>
      rawRequest(`${app.url}/api/v1/testers/bulk?${scope(hot)}`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${ann.token}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': randomUUID(),
        },
        body: act,
      }),
    );
    await new Promise((resolve) => setTimeout(resolve, 500));
    await ann.get(`/organizations/${hot.organizationId}/members`).expect(200);
    await owner.query('ROLLBACK');
    for (const { status } of await Promise.all([...exports, ...bulk])) expect([200, 429, 503]).toContain(status);
  });

  // red when: heavy requests are limited only per minute
  it('runs two heavy requests of an organization concurrently, and rejects those beyond its line with 429', async () => {
    await block('tester');
    const crowded = crowd(`/testers/export?${scope(hot)}`);
    await until(async () => (await blockedStatements()) >= 2);
    await expectOthersToBeServed();
    expect(await blockedStatements()).toBeLessThanOrEqual(2);
    await owner.query('ROLLBACK');
    const rejected = (await Promise.all(crowded)).filter(({ status }) => status === 429);
    // Two run and sixteen wait.
    expect(rejected.length).toBeGreaterThanOrEqual(CROWD - 18);
    for (const { headers } of rejected) expect(headers['retry-after']).toBe('2');
    await ann.get(`/testers/export?${scope(hot)}`).expect(200);
  });
});
