import { setTimeout as sleep } from 'node:timers/promises';
import supertest from 'supertest';
import { Bearer, type Developer } from '../support/actors';
import { ServerProcess } from '../support/server-process';
import { SilentProxy } from '../support/silent-proxy';
import { TestApp } from '../support/test-app';

jest.setTimeout(180_000);

/** Two seconds, and what a busy machine adds. */
const SOON_MS = 10_000;
const POOL = 5;

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

  // red when: a probe of /ready has no time limit, or /live asks the database
  it('lives, says within two seconds what is missing, and lets nobody hang', async () => {
    // Every connection of the pool stands, and is in use when silence falls.
    await Promise.all(Array.from({ length: 4 * POOL }, me));
    proxy.fallSilent();
    const asked = Array.from({ length: 4 * POOL }, me);
    for (let probe = 0; probe < 3; probe++) {
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
    }
    const start = performance.now();
    for (const { status, body, headers } of await Promise.all(asked)) {
      expect([status, (body as { error: string }).error]).toEqual([503, 'storage_backend_unavailable']);
      expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
    }
    tell(`the last of ${asked.length} requests was answered ${Math.round(performance.now() - start)} ms later`);
  });

  // red when: the pools take a plain `Client` (connections that are dead stay in use until TCP gives them up)
  it('works again, jobs too, when new connections come through and the old ones never do', async () => {
    proxy.speakAgain();
    const start = performance.now();
    while ((await supertest(server.url).get('/api/v1/ready')).status !== 200) await sleep(50);
    tell(`ready ${Math.round(performance.now() - start)} ms after the network is back`);
    expect((await me()).status).toBe(200);
    await app.runsJob('idempotency.prune');
    tell(`a job has run ${Math.round(performance.now() - start)} ms after it`);
    expect(await server.stop()).toEqual({ code: 0, signal: null });
  });
});

/** For people: `TIMES=1 npm test -- …` */
function tell(what: string): void {
  if (process.env['TIMES'] !== undefined) console.info(what);
}
