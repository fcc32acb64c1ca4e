import { randomBytes } from 'node:crypto';
import { SlowUpload } from '../../support/actors/slow-upload';
import { createTenant, type Tenant } from '../../support/actors/tenant';
import { HttpClient } from '../../support/app/http-client';
import { TestApp } from '../../support/app/test-app';
import { constantRateLoad } from '../../support/load/constant-rate-load';
import { MixedWorkload } from '../../support/load/mixed-workload';
import { takeFreePort } from '../../support/processes/free-port';
import { ServerProcess } from '../../support/processes/server-process';
import { type CountingSmtp, startCountingSmtp } from '../../support/servers/counting-smtp';
import { Balancer } from '../../support/servers/proxies/balancer';
import { until } from '../../support/until';

/** The full run: `RESTARTS=5 RATE=100 npm run test:endurance -- rolling-restart` takes about four minutes on two cores. */
const RESTARTS = Number(process.env['RESTARTS'] ?? 1);
const RATE = Number(process.env['RATE'] ?? 20);
const MAX_OPEN = 16;
/**
 * Uploads and downloads of one organization wait for each other at its billing account. Several organizations keep that wait
 * below the lock timeout on a slow machine.
 */
const ORGANIZATIONS = 4;
const DRAIN_MS = 4_000;
const FRESH_MS = 2_000;

jest.setTimeout(1_800_000);

/** Two API processes and a worker with one database, behind a load balancer, each restarted repeatedly under load. */
describe('a rolling restart', () => {
  let smtp: CountingSmtp;
  let app: TestApp;
  const tenants: Tenant[] = [];
  let balancer: Balancer;
  let client: HttpClient;
  let loads: MixedWorkload[];
  const apis: ServerProcess[] = [];
  let worker: ServerProcess;
  const lines: string[] = [];

  const startApi = (port: number): Promise<ServerProcess> =>
    ServerProcess.start(app, {
      ROLE: 'api',
      PORT: String(port),
      SHUTDOWN_DRAIN_MS: String(DRAIN_MS),
      // Enough for all open requests, so that none waits for a connection. Idempotent requests take two.
      DATABASE_POOL_SIZE: '30',
    });
  const startWorker = (): Promise<ServerProcess> => ServerProcess.start(app, { ROLE: 'worker', MAIL_URL: smtp.url });
  const stopsCleanly = async (server: ServerProcess): Promise<void> => {
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    lines.push(...server.lines);
  };

  beforeAll(async () => {
    smtp = await startCountingSmtp();
    app = await TestApp.start({ worker: false });
    for (let n = 0; n < ORGANIZATIONS; n++) tenants.push(await createTenant(app));
    await app.sql('DELETE FROM graphile_worker._private_jobs');
    for (const port of [await takeFreePort(), await takeFreePort()]) apis.push(await startApi(port));
    worker = await startWorker();
    balancer = await Balancer.start(
      apis.map(({ port }) => port),
      FRESH_MS,
    );
    client = new HttpClient(balancer.url);
    loads = tenants.map((tenant) => new MixedWorkload(client, tenant));
  });
  afterAll(async () => {
    client.close();
    await balancer.stop();
    await Promise.all([...apis, worker].map((server) => server.kill()));
    await app.stop();
    await smtp.stop();
  });

  /** Uploads that are in progress at the signal and end long after it. */
  const holdUploads = async (): Promise<() => Promise<void>> => {
    const file = randomBytes(400_000);
    const [load] = loads as [MixedWorkload];
    const uploads = await Promise.all(
      apis.map(() => {
        const key = load.newKeyFor('upload');
        const headers = { 'Idempotency-Key': key, 'X-Request-Id': key };
        return new SlowUpload(balancer, load.token, load.project, file, headers).sendUpTo(0.3);
      }),
    );
    return async () => {
      for (const upload of uploads) {
        const response = await upload.finish();
        load.judge('held upload', response?.status ?? 0, [201], response?.text ?? 'the connection was lost');
      }
    };
  };

  const restartApis = async (): Promise<void> => {
    for (let n = 0; n < RESTARTS * apis.length; n++) {
      const at = n % apis.length;
      const api = apis[at]!;
      const finishUploads = await holdUploads();
      const ended = stopsCleanly(api);
      await until(() => api.lines.some((line) => line.includes('shutting down')));
      await finishUploads();
      await ended;
      apis[at] = await startApi(api.port);
      await balancer.untilReady(api.port);
    }
  };
  const restartWorker = async (): Promise<void> => {
    for (let n = 0; n < RESTARTS; n++) {
      const sent = smtp.accepted.length;
      await until(() => smtp.accepted.length >= sent + 3);
      await stopsCleanly(worker);
      worker = await startWorker();
    }
  };

  // red when: the listener closes without a drain, the shutdown does not wait for requests in flight, a draining process
  // keeps its connections, or a stopping worker does not wait for its jobs
  it(`fails no request, and applies each change once (${RATE} requests a second, ${RESTARTS} restarts per process)`, async () => {
    for (const load of loads) await load.prepare(app);
    let restarting = true;
    const restarted = Promise.all([restartApis(), restartWorker()]).finally(() => (restarting = false));
    const report = await constantRateLoad(
      { ratePerSecond: RATE, maxOpen: MAX_OPEN },
      (n) => loads[n % ORGANIZATIONS]!.one(Math.floor(n / ORGANIZATIONS)),
      () => !restarting,
    );
    await restarted;
    const total = (what: (load: MixedWorkload) => number): number => loads.reduce((sum, load) => sum + what(load), 0);
    const failures = loads.flatMap((load) => load.failures);
    const replays = total((load) => load.replays);
    process.stdout.write(
      `${total(({ requests }) => requests)} requests in ${report.seconds.toFixed(0)} s (${report.delayed} starts delayed), ` +
        `${replays} replays, slowest ${Math.round(Math.max(...loads.map(({ slowestMs }) => slowestMs)))} ms, ` +
        `${smtp.accepted.length} mails\n`,
    );
    // The logs explain failures.
    const logLines = [...lines, ...[...apis, worker].flatMap((server) => server.lines)];
    if (failures.length > 0) process.stdout.write(reasonsIn(logLines));
    expect(failures).toEqual([]);
    expect(replays).toBeGreaterThan(0);

    await until(
      async () =>
        (await app.sql('SELECT FROM graphile_worker.jobs WHERE attempts < max_attempts AND run_at <= now()')).length ===
        0,
    );
    expect(await app.sql('SELECT FROM graphile_worker.jobs WHERE attempts >= max_attempts')).toEqual([]);
    for (const load of loads) expect(await load.effectsNotOnce(app, smtp.accepted)).toEqual([]);
    expect(smtp.accepted).toHaveLength(total(({ invited }) => invited.length));
    const before = tenants.map(({ uploadId }) => uploadId);
    expect(await app.sql('SELECT FROM artifact_upload WHERE NOT id = ANY($1)', [before])).toEqual([]);
    expect(await app.sql(`SELECT FROM idempotency_record WHERE state = 'in_flight'`)).toEqual([]);
    for (const server of [...apis, worker]) await stopsCleanly(server);
    expect(lines.filter((line) => /"level":"(error|fatal)"/.test(line))).toEqual([]);
  });
});

/** The number of log lines per error. */
function reasonsIn(log: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const line of log.filter((each) => /"level":"(warn|error|fatal)"/.test(each))) {
    const { msg, err } = JSON.parse(line) as { msg: string; err?: { message: string } };
    const reason = `${msg}: ${err?.message ?? '-'}`;
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts].map(([reason, count]) => `${count} x ${reason}\n`).join('');
}
