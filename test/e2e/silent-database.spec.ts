import { setTimeout as sleep } from 'node:timers/promises';
import supertest from 'supertest';
import { Bearer, type Developer } from '../support/actors/actors';
import { ServerProcess } from '../support/processes/server-process';
import { SilentProxy } from '../support/servers/silent-proxy';
import { TestApp } from '../support/app/test-app';

jest.setTimeout(180_000);

/** Two seconds, and what a busy machine adds. */
const SOON_MS = 10_000;
const POOL = 5;
/** A connection that does not answer is given up after fifteen seconds; TCP alone would take a quarter of an hour. */
const PATIENCE_MS = 60_000;

/** Reliability M5: connections stand, and nothing comes back on them. */
describe('with a database that accepts and says nothing', () => {
  let app: TestApp;
  let proxy: SilentProxy;
  let server: ServerProcess;
  let ann: Developer;

  beforeAll(async () => {
    app = await TestApp.start({ worker: false });
    const { url, ownerUrl } = app.database;
    proxy = await SilentProxy.before(url);
    const there = {
      dataDirectory: app.dataDirectory,
      database: { url: proxy.urlOf(url), ownerUrl: proxy.urlOf(ownerUrl) },
    };
    server = await ServerProcess.start(there, { DATABASE_POOL_SIZE: String(POOL) });
    // Signed up by mail: the worker works.
    ann = await app.developer();
  });
  afterAll(async () => {
    await server.kill();
    await proxy.stop();
    await app.stop();
  });

  const me = async (): Promise<supertest.Response> => new Bearer(server.url, ann.token).get('/developers/me');
  const timed = async (path: string): Promise<{ answer: supertest.Response; tookMs: number }> => {
    const start = performance.now();
    const answer = await supertest(server.url).get(`/api/v1${path}`);
    return { answer, tookMs: performance.now() - start };
  };

  /** So that what hangs is told by its name, and not by the time limit of the test. */
  const inTime = <T>(what: string, work: Promise<T>): Promise<T> =>
    Promise.race([
      work,
      sleep(PATIENCE_MS, undefined, { ref: false }).then(() => {
        throw new Error(`After ${PATIENCE_MS} ms still not: ${what}.`);
      }),
    ]);
  const probes = async (): Promise<void> => {
    const live = await timed('/live');
    expect(live.answer.status).toBe(200);
    const ready = await timed('/ready');
    expect([ready.answer.status, ready.answer.body]).toMatchObject([
      503,
      {
        error: 'storage_backend_unavailable',
        checks: expect.arrayContaining([
          { name: 'database', status: 'failed' },
          { name: 'storage', status: 'ok' },
        ]) as object,
      },
    ]);
    expect(ready.answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(Math.max(live.tookMs, ready.tookMs)).toBeLessThan(SOON_MS);
    tell(`/live ${Math.round(live.tookMs)} ms, /ready ${Math.round(ready.tookMs)} ms`);
  };
  const untilReady = async (): Promise<void> => {
    while ((await supertest(server.url).get('/api/v1/ready')).status !== 200) await sleep(50);
  };

  // red when: HealthService.check waits for its probe without a time limit (the first one has a connection, which is dead), /live
  // asks the database, or the pool of data-source-options takes a plain `Client` (those who have its connections hang)
  it('lives, says within two seconds what is missing, and lets nobody hang', async () => {
    // Every connection of the pool stands when silence falls. The first probes still get one, the others none.
    await Promise.all(Array.from({ length: 4 * POOL }, me));
    proxy.fallSilent();
    await probes();
    const asked = Array.from({ length: 4 * POOL }, me);
    await probes();
    await probes();
    const start = performance.now();
    for (const { status, body, headers } of await inTime('an answer to everybody', Promise.all(asked))) {
      expect([status, (body as { error: string }).error]).toEqual([503, 'storage_backend_unavailable']);
      expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
    }
    tell(`the last of ${asked.length} requests was answered ${Math.round(performance.now() - start)} ms later`);
  });

  // red when: the pool of data-source-options takes a plain `Client` (it stays full of dead connections: never ready), or that of
  // JobWorker does (no job runs again)
  it('works again, jobs too, when new connections come through and the old ones never do', async () => {
    proxy.speakAgain();
    const start = performance.now();
    await inTime('ready', untilReady());
    tell(`ready ${Math.round(performance.now() - start)} ms after the network is back`);
    expect((await me()).status).toBe(200);
    await inTime('a job that runs', app.runsJob('idempotency.prune'));
    tell(`a job has run ${Math.round(performance.now() - start)} ms after it`);
    expect(await server.stop()).toEqual({ code: 0, signal: null });
  });
});

/** For people: `TIMES=1 npm test -- …` */
function tell(what: string): void {
  if (process.env['TIMES'] !== undefined) console.info(what);
}
