// Several processes of one installation: their connections, what one shows of the changes of another, and one behind PgBouncer.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeConnections } from '../transfer.mjs';
import { request } from './reads/reads.mjs';

const require = createRequire(import.meta.url);
const PROCESSES = 4;
const CLIENTS = 16;
const CHANGES = 20;
const EVENT_MS = 2_000;
const LOAD_MS = 5_000;
/** After that, a pool has closed what it does not need. */
const IDLE_MS = 35_000;
/** Connections: each process has its pool, one has the queue and the jobs, too. Behind a pooler, the server sees only the pooler's. */
const BUDGET = { busy: PROCESSES * 10 + 25, idle: PROCESSES * 4 + 25, pooled: 4 };
const IGNORED = 'ignore_startup_parameters = statement_timeout,lock_timeout,idle_in_transaction_session_timeout';

const COUNT = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE usename = $1`;

/** Counts the connections of the application's role until it is stopped. @returns a function that returns the highest number. */
function watchConnections(database, role) {
  let [highest, isStopped] = [0, false];
  const counting = (async () => {
    while (!isStopped) {
      const { rows } = await database.query(COUNT, [role]);
      highest = Math.max(highest, rows[0].count);
      await sleep(50);
    }
    // A part that fails closes its connections.
  })().catch(() => undefined);
  return async () => {
    isStopped = true;
    await counting;
    return highest;
  };
}

/** Sends lists and install pages to the services in turns. @returns the numbers of requests, and of those that failed. */
async function load(services, { parameters }, headers, durationMs) {
  const until = performance.now() + durationMs;
  const scope = `organization_id=${parameters.organization_id}&project_id=${parameters.project_id}`;
  const paths = [
    `/api/v1/builds?${scope}&limit=20`,
    `/api/v1/testers?${scope}&limit=20`,
    `/install/${parameters.invite_token}`,
  ];
  let [sent, failed] = [0, 0];
  const client = async () => {
    while (performance.now() < until) {
      const turn = (sent += 1);
      const path = paths[turn % paths.length];
      const { status } = await request(
        services[turn % services.length].port,
        path,
        path.startsWith('/api/') ? await headers() : {},
      );
      if (status >= 400) failed += 1;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return { sent, failed };
}

/** The stream of events of one process. @returns the text so far, and a function that closes it. */
function listen({ port }, organization, headers) {
  const controller = new AbortController();
  const stream = { text: '', close: () => controller.abort() };
  stream.done = (async () => {
    const url = `http://127.0.0.1:${port}/api/v1/events?organization_id=${organization}`;
    const { body } = await fetch(url, { headers, signal: controller.signal });
    for await (const chunk of body) stream.text += Buffer.from(chunk).toString('utf8');
  })().catch(() => undefined);
  return stream;
}

/** Changes a build through one process after the other. @returns the number of stale reads of all, and of events that did not arrive. */
async function changeAndRead(services, { organization, parameters }, headers) {
  const path = `/api/v1/builds/${parameters.build_id}?organization_id=${organization}&project_id=${parameters.project_id}`;
  const streams = services.map((service) => listen(service, organization, headers));
  await sleep(500);
  let [stale, lost, slowest] = [0, 0, 0];
  for (let change = 0; change < CHANGES; change += 1) {
    const notes = `Change ${change} of the bench.`;
    const before = streams.map(({ text }) => text.length);
    const { port } = services[change % services.length];
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'PATCH',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ notes }),
    });
    if (!response.ok) throw new Error(`PATCH ${path}: ${response.status} ${await response.text()}`);
    const started = performance.now();
    const reads = await Promise.all(services.map((service) => request(service.port, path, headers)));
    stale += reads.filter(({ text }) => !text.includes(notes)).length;
    const waiting = () => streams.filter(({ text }, place) => !text.slice(before[place]).includes(parameters.build_id));
    while (waiting().length > 0 && performance.now() - started < EVENT_MS) await sleep(5);
    lost += waiting().length;
    slowest = Math.max(slowest, performance.now() - started);
    // The next change has events of its own.
    await sleep(100);
  }
  for (const { close } of streams) close();
  return { stale, lost, slowest };
}

/** One API process behind PgBouncer in transaction mode. @returns the requests, and the connections that the server saw. */
async function loadThroughPooler(large, database, role) {
  require('../../test/support/processes/run-typescript.cjs');
  const { PgBouncer } = require('../../test/pgbouncer/pgbouncer.ts');
  const pooler = await PgBouncer.start(large.postgres.url, [IGNORED]);
  try {
    const environment = { DATABASE_URL: pooler.url, DATABASE_PREPARE: 'false', MIGRATE_ON_START: 'false' };
    const service = await large.launch(environment);
    const headers = large.headersFor(service);
    const stop = watchConnections(database, role);
    const { sent, failed } = await load([service], large.subject, headers, LOAD_MS);
    const connections = await stop();
    await large.stopServices();
    return { sent, failed, connections };
  } finally {
    await pooler.stop();
  }
}

/** @returns what exceeds the budget. */
export async function measureProcesses({ large }, { report }) {
  const database = await large.connect();
  const role = new URL(large.postgres.url).username;
  const services = [await large.launch({ ROLE: 'all' })];
  while (services.length < PROCESSES) services.push(await large.launch({ MIGRATE_ON_START: 'false' }));
  const headers = large.headersFor(services[0]);
  const stop = watchConnections(database, role);
  const { sent, failed } = await load(services, large.subject, headers, LOAD_MS);
  const busy = await stop();
  const { stale, lost, slowest } = await changeAndRead(services, large.subject, await headers());
  await sleep(IDLE_MS);
  const { rows } = await database.query(COUNT, [role]);
  const idle = rows[0].count;
  await large.stopServices();
  const isInstalled = spawnSync('pgbouncer', ['--version']).status === 0;
  const pooled = isInstalled ? await loadThroughPooler(large, database, role) : null;
  closeConnections();
  report({
    [`${PROCESSES} processes`]: {
      requests: sent,
      failed,
      busy,
      idle,
      stale,
      'events lost': lost,
      'slowest event (ms)': slowest.toFixed(0),
    },
    'behind PgBouncer': pooled ? { requests: pooled.sent, failed: pooled.failed, busy: pooled.connections } : {},
  });
  return [
    failed > 0 && `${failed} of ${sent} requests to ${PROCESSES} processes failed`,
    busy > BUDGET.busy && `${PROCESSES} processes had ${busy} connections, more than ${BUDGET.busy}`,
    idle > BUDGET.idle && `${PROCESSES} idle processes keep ${idle} connections, more than ${BUDGET.idle}`,
    stale > 0 && `${stale} reads after a change through another process were stale`,
    lost > 0 && `${lost} events did not arrive within ${EVENT_MS} ms`,
    !pooled && `PgBouncer is not installed: apt-get install pgbouncer`,
    pooled?.failed > 0 && `${pooled.failed} of ${pooled.sent} requests behind PgBouncer failed`,
    pooled?.connections > BUDGET.pooled &&
      `PgBouncer opened ${pooled.connections} connections, more than ${BUDGET.pooled}`,
  ].filter(Boolean);
}
