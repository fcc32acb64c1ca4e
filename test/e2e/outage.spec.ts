import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import supertest from 'supertest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#platform/database/embedded-postgres';
import { findFreePort } from '#platform/database/free-port';
import { Bearer, Developer, type ProjectRef, scope } from '../support/actors';
import { apk } from '../support/artifacts/valid-artifacts';
import { Mailbox } from '../support/mailbox';
import { Scraped } from '../support/scraped';
import { ServerProcess } from '../support/server-process';
import { TestApp } from '../support/test-app';

jest.setTimeout(180_000);

const SCRAPE_TOKEN = 'scrape-0123456789abcdef';
const FILE = { bytes: apk(), fileName: 'Demo.apk' };
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Reliability M3, M5: a service whose database goes away and comes back, under load. */
describe('without its database', () => {
  let folder: string;
  let postgres: EmbeddedPostgres;
  let server: ServerProcess;
  let port: number;

  const startPostgres = (): Promise<EmbeddedPostgres> =>
    startEmbeddedPostgres({
      dataDirectory: join(folder, 'postgres'),
      port,
      settings: { fsync: 'off' },
      log: () => undefined,
    });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'agate-outage-'));
    await chmod(folder, 0o711);
    port = await findFreePort();
    postgres = await startPostgres();
    server = await ServerProcess.start(
      { dataDirectory: folder, database: postgres },
      { METRICS_TOKEN: SCRAPE_TOKEN },
    );
  });
  afterAll(async () => {
    await server.kill();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  });

  // red when: an error of a lost connection is not in the map of database-errors (500), or nobody hears a pool's "error"
  // event (the process ends)
  it('answers only 503 with Retry-After, stays alive, and recovers without a restart', async () => {
    const ann = await Developer.signUp(server.url, new Mailbox(join(folder, 'mail')));
    const project = await ann.createsProject(await ann.createsOrganization());
    const ci = new Bearer(server.url, await ann.createsToken(project, 'MANAGE_PROJECT'));
    const build = await ci.uploads(project, FILE);

    const answers: { status: number; retryAfter: string | undefined; error: unknown; during: string }[] = [];
    let phase = 'before';
    let ended = false;
    const requests: (() => supertest.Test)[] = [
      () => ann.get('/developers/me'),
      () => ann.get(`/projects?organization_id=${project.organizationId}`),
      () => ci.get(`/builds?${scope(project)}`),
      () => ci.patch(`/builds/${build.id}?${scope(project)}`, { notes: randomUUID() }),
      () => ci.post(`/builds/${build.id}/download-url?${scope(project)}`).set('Idempotency-Key', randomUUID()),
      () => ci.upload(project, FILE).set('Idempotency-Key', randomUUID()),
      () => supertest(server.url).get('/install/no-such-token').set('Accept', 'application/json'),
    ];
    const load = [...requests, ...requests, ...requests].map(async (make) => {
      while (!ended) {
        const during = phase;
        const { status, headers, body } = (await make()) as {
          status: number;
          headers: Record<string, string>;
          body: { error?: string };
        };
        answers.push({ status, retryAfter: headers['retry-after'], error: body.error, during });
        await pause(5);
      }
    });
    const answersIn = async (which: string): Promise<void> => {
      phase = which;
      const seen = answers.length;
      while (answers.length < seen + 15 * requests.length) await pause(50);
    };

    await answersIn('up');
    for (let outage = 0; outage < 4; outage++) {
      await postgres.stop();
      await answersIn('down');
      await supertest(server.url).get('/api/v1/live').expect(200);
      const ready = await supertest(server.url).get('/api/v1/ready').expect(503);
      expect(ready.headers['retry-after']).toMatch(/^\d+$/);
      expect(ready.body).toMatchObject({
        error: 'storage_backend_unavailable',
        checks: expect.arrayContaining([
          { name: 'database', status: 'failed' },
          { name: 'storage', status: 'ok' },
        ]) as object,
      });
      // A scrape is answered; what only the database knows is left out (red when: Metrics.scrape lets a source's failure out).
      const scraped = await Scraped.from(server.url, SCRAPE_TOKEN);
      expect(scraped.value('agate_reservations_active')).toBeUndefined();
      expect(scraped.value('agate_metrics_errors_total', { source: 'reservations' })).toBeGreaterThan(outage);
      expect(scraped.value('agate_http_requests_total', { status: '5xx' })).toBeGreaterThan(0);
      postgres = await startPostgres();
      while ((await supertest(server.url).get('/api/v1/ready')).status !== 200) await pause(50);
      await answersIn('up again');
    }
    ended = true;
    await Promise.all(load);

    // The log says why, should there be one.
    expect(server.lines.filter((line) => line.includes('request failed'))).toEqual([]);
    const wrong = answers.filter(({ status, retryAfter, error }) =>
      status >= 500 ? status !== 503 || error !== 'storage_backend_unavailable' || !(Number(retryAfter) >= 1) : false,
    );
    expect(wrong).toEqual([]);
    expect(answers.filter(({ during, status }) => during === 'down' && status === 503).length).toBeGreaterThan(0);
    // What failed has left nothing, and what is asked now works.
    for (const make of requests.slice(0, -1)) expect((await make()).status).toBeLessThan(300);
    expect(await server.stop()).toEqual({ code: 0, signal: null });
  });
});

/** Reliability M4. */
describe('with every connection taken', () => {
  let app: TestApp;
  let server: ServerProcess;
  let ann: Developer;
  let project: ProjectRef;

  beforeAll(async () => {
    app = await TestApp.start();
    server = await ServerProcess.start(app, { DATABASE_POOL_SIZE: '2', ROLE: 'api' });
    ann = await app.developer();
    project = await ann.createsProject(await ann.createsOrganization());
  });
  afterAll(async () => {
    await server.kill();
    await app.stop();
  });

  // red when: the pool has no connectionTimeoutMillis (the request hangs), or a lock that is not had in time is a 500
  it('answers 503 with Retry-After, does not hang, and recovers', async () => {
    const there = new Bearer(server.url, ann.token);
    const lock = new Client({ connectionString: app.database.ownerUrl });
    await lock.connect();
    await lock.query('BEGIN; LOCK TABLE audit_event IN ACCESS EXCLUSIVE MODE');
    const create = () => there.post(`/project-access-tokens?${scope(project)}`, { name: 'CI', role: 'UPLOAD_BUILD' });
    const answers: supertest.Response[] = [];
    let ended = false;
    const load = [1, 2, 3, 4].map(async () => {
      while (!ended) answers.push(await create());
    });
    // red when: a request waits for a connection, or for a lock, without end
    for (let refused = 0; refused < 3;) {
      const answer = await there.get('/developers/me');
      answers.push(answer);
      if (answer.status === 503) refused += 1;
    }
    await supertest(server.url).get('/api/v1/live').expect(200);
    ended = true;
    await Promise.all(load);
    expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 503)).toEqual([]);
    for (const { headers, body } of answers.filter(({ status }) => status === 503)) {
      expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
      expect(body).toMatchObject({ error: 'storage_backend_unavailable' });
    }
    await lock.end();
    await there.get('/developers/me').expect(200);
    await create().expect(201);
  });
});
