import { setTimeout as sleep } from 'node:timers/promises';
import supertest from 'supertest';
import { Bearer, type Developer } from '../../support/actors/actors';
import { TestApp } from '../../support/app/test-app';
import { ServerProcess } from '../../support/processes/server-process';
import { SilentProxy } from '../../support/servers/proxies/silent-proxy';
import { until } from '../../support/until';

jest.setTimeout(360_000);

/** Two seconds, plus slack for a busy machine. Without its own timeout, a probe ends after fifteen seconds. */
const MAX_PROBE_MS = 14_000;
const POOL = 5;
/** The service closes a connection without a response after fifteen seconds. TCP alone would take a quarter of an hour. */
const TIMEOUT_MS = 60_000;

/** Established connections stay open, but nothing comes back on them. */
describe('a server with a database that accepts connections but does not respond', () => {
  let app: TestApp;
  let proxy: SilentProxy;
  let server: ServerProcess;
  let ann: Developer;

  beforeAll(async () => {
    app = await TestApp.start({ worker: false });
    const { url, ownerUrl } = app.database;
    proxy = await SilentProxy.startBefore(url);
    const there = {
      dataDirectory: app.dataDirectory,
      database: { url: proxy.urlOf(url), ownerUrl: proxy.urlOf(ownerUrl) },
    };
    server = await ServerProcess.start(there, { DATABASE_POOL_SIZE: String(POOL) });
    // Signing up needs a mail, so the worker runs.
    ann = await app.developer();
  });
  afterAll(async () => {
    await server.kill();
    await proxy.stop();
    await app.stop();
  });

  const me = async (): Promise<supertest.Response> => new Bearer(server.url, ann.token).get('/developers/me');
  const timed = async (path: string): Promise<{ response: supertest.Response; tookMs: number }> => {
    const start = performance.now();
    const response = await supertest(server.url).get(`/api/v1${path}`);
    return { response, tookMs: performance.now() - start };
  };

  /** Fails with a message of its own when `work` hangs, instead of with the timeout of the test. */
  const withTimeout = <T>(what: string, work: Promise<T>): Promise<T> =>
    Promise.race([
      work,
      sleep(TIMEOUT_MS, undefined, { ref: false }).then(() => {
        throw new Error(`Timeout after ${TIMEOUT_MS} ms: ${what}.`);
      }),
    ]);
  const expectProbes = async (): Promise<void> => {
    const live = await timed('/live');
    expect(live.response.status).toBe(200);
    const ready = await timed('/ready');
    expect([ready.response.status, ready.response.body]).toMatchObject([
      503,
      {
        error: 'storage_backend_unavailable',
        checks: expect.arrayContaining([
          { name: 'database', status: 'failed' },
          { name: 'storage', status: 'ok' },
        ]) as object,
      },
    ]);
    expect(ready.response.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(Math.max(live.tookMs, ready.tookMs)).toBeLessThan(MAX_PROBE_MS);
    report(`/live ${Math.round(live.tookMs)} ms, /ready ${Math.round(ready.tookMs)} ms`);
  };
  const untilReady = async (): Promise<void> => {
    await until(async () => (await supertest(server.url).get('/api/v1/ready')).status === 200);
  };

  // red when: HealthService.check waits for its probe without a timeout (the first probe gets a dead connection), /live uses the
  // database, or the pool in data-source-options uses a plain `Client` (requests with its connections hang)
  it('is live, reports the database as failed within two seconds, and responds 503 to every request', async () => {
    // The pool has all its connections when the proxy goes silent. The first probes still get one, later ones none.
    await Promise.all(Array.from({ length: 4 * POOL }, me));
    proxy.goSilent();
    await expectProbes();
    const requests = Array.from({ length: 4 * POOL }, me);
    await expectProbes();
    await expectProbes();
    const start = performance.now();
    for (const { status, body, headers } of await withTimeout('a response to every request', Promise.all(requests))) {
      expect([status, (body as { error: string }).error]).toEqual([503, 'storage_backend_unavailable']);
      expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
    }
    report(
      `the last of ${requests.length} requests got its response ${Math.round(performance.now() - start)} ms later`,
    );
  });

  // red when: the pool in data-source-options uses a plain `Client` (it stays full of dead connections: never ready), or the pool of
  // JobWorker does (no job runs again), or the pool of jobs trusts connections that were idle (a job waits for two minutes)
  it('recovers, including its jobs, when new connections work again but the old ones stay dead', async () => {
    proxy.resume();
    const start = performance.now();
    await withTimeout('ready', untilReady());
    report(`ready ${Math.round(performance.now() - start)} ms after the network is back`);
    expect((await me()).status).toBe(200);
    await withTimeout('a job that runs', app.runsJob('idempotency.prune'));
    report(`a job has run ${Math.round(performance.now() - start)} ms after it`);
    expect(await server.stop()).toEqual({ code: 0, signal: null });
  });
});

/** Prints measured times with `TIMES=1 npm run test:endurance -- silent-database`. */
function report(line: string): void {
  if (process.env['TIMES'] !== undefined) console.info(line);
}
