// How the busiest account slows down the others: 64 clients that upload, and 64 that list, with the default limits.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { closeConnections } from '../transfer.mjs';
import { neighbourExceptionOf } from './exceptions.mjs';
import { neighbourOf } from './neighbour.mjs';
import { at } from './reads/reads.mjs';

/** The others' p99 may be three times as long as on a quiet service. Below the budget of all reads, it is good enough. */
const BUDGET = { ratio: 3, goodMs: 100 };
const CLIENTS = 64;
/** The busy time is a window of the limits, at whose start the hot account may send what they allow. */
const [QUIET_MS, BUSY_MS] = [30_000, 60_000];
/** The neighbour stays below its own limits: an upload a second, and five requests of each other kind. */
const PERIODS_MS = { upload: 1_020 };
const PERIOD_MS = 205;
/** The default limits, as if each client of the hot account had an address. */
const LIMITS = { RATE_LIMIT_FACTOR: '1', RATE_LIMIT_ADDRESS: '1000000' };

/** Sends each request of the neighbour again and again. @returns the times of each, and the statuses that are failures. */
async function sample(requests, durationMs) {
  const until = performance.now() + durationMs;
  const results = {};
  const repeat = async ([name, send]) => {
    const { times, failures } = (results[name] = { times: [], failures: [] });
    while (performance.now() < until) {
      const started = performance.now();
      const status = await send();
      const ms = performance.now() - started;
      times.push(ms);
      if (status >= 400) failures.push(status);
      await sleep(Math.max(0, (PERIODS_MS[name] ?? PERIOD_MS) - ms));
    }
  };
  await Promise.all(Object.entries(requests).map(repeat));
  return results;
}

/** Starts the clients of the hot account. @returns a function that ends them and returns how often each status was received. */
function startHotClients({ port }, { parameters }, headers) {
  const scope = `organization_id=${parameters.organization_id}&project_id=${parameters.project_id}`;
  const workerData = { port, scope, headers, clients: CLIENTS };
  const worker = new Worker(new URL('hot-clients.mjs', import.meta.url), { workerData });
  return async () => {
    worker.postMessage('stop');
    const [statuses] = await once(worker, 'message');
    return statuses;
  };
}

/** @returns the requests of others that the hot account slows down too much. */
export async function measureNeighbours({ large }, { report }) {
  const service = await large.launch({ ROLE: 'all', ...LIMITS });
  const requests = await neighbourOf(service, await large.connect());
  await sample(requests, 1_000);
  const quiet = await sample(requests, QUIET_MS);
  const stop = startHotClients(service, large.subject, await large.headersFor(service)());
  const busy = await sample(requests, BUSY_MS);
  const statuses = await stop();
  closeConnections();
  await large.stopServices();
  const rows = Object.keys(requests).map((name) => {
    const [before, beside] = [at(quiet[name].times, 0.99), at(busy[name].times, 0.99)];
    const exception = neighbourExceptionOf(name);
    const budget = Math.max(BUDGET.ratio * before, BUDGET.goodMs);
    const isSlow = beside > Math.max(budget, exception?.p99Ms ?? 0);
    const faults = [
      isSlow && `p99 ${before.toFixed(0)} ms becomes ${beside.toFixed(0)} ms`,
      failuresOf(busy[name]),
    ].filter(Boolean);
    const used = beside > budget && exception?.reason;
    return { name, faults, used, before, beside, p50: at(busy[name].times, 0.5) };
  });
  const lines = rows.map(({ name, before, p50, beside, faults, used }) => [
    name,
    {
      'quiet p99': before.toFixed(0),
      'busy p50': p50.toFixed(0),
      'busy p99': beside.toFixed(0),
      '': faults.length > 0 ? 'MISSED' : used ? 'excepted' : '',
    },
  ]);
  for (const { name, used } of rows) if (used) console.log(`${name}: ${used}`);
  report(Object.fromEntries(lines), `the hot account got ${JSON.stringify(statuses)}`);
  return rows.flatMap(({ name, faults }) => faults.map((fault) => `${name}: ${fault}`));
}

const failuresOf = ({ failures }) =>
  failures.length > 0 && `${failures.length} failed: ${[...new Set(failures)].join(', ')}`;
