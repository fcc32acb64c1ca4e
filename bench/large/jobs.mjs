// Runs each schedule once with data that is due: duration, memory, the longest statement, and locks that block requests.
import { watchLocks } from '../lock-watch.mjs';
import { clearQueue, runJob, schedulesOf } from './queue.mjs';
import { at, request } from './reads/reads.mjs';

/** The timeout of requests is 10 s: a statement of a fifth of it leaves room for a larger installation. */
const BUDGET = { statementMs: 2_000, memoryBytes: 50e6, lockMs: 1_000, pageP99Ms: 100 };
const PAUSE_MS = 20;
/** Requests before the first job, which fill the caches of the process. */
const WARM_UP = 20;

const LONGEST = `
  SELECT max_exec_time AS ms, query FROM pg_stat_statements JOIN pg_roles AS r ON r.oid = userid
  WHERE rolname = $1 ORDER BY max_exec_time DESC LIMIT 1`;

/** Requests an install page until `stop` is called. @returns the function, which returns the times. */
function requestPage({ port }, token) {
  const times = [];
  let isStopped = false;
  const done = (async () => {
    while (!isStopped) {
      times.push((await request(port, `/install/${token}`)).ms);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  })();
  return async () => {
    isStopped = true;
    await done;
    return times;
  };
}

async function measureJob(name, { worker, api, database, statistics, locks, role, token }) {
  await clearQueue(database);
  await statistics.query('SELECT pg_stat_statements_reset()');
  locks.take();
  worker.resetPeak();
  const { rss } = await worker.usage();
  const stop = requestPage(api, token);
  const { seconds, failed } = await runJob(database, name);
  const times = await stop();
  const { rows } = await statistics.query(LONGEST, [role]);
  const { longestHold } = locks.take();
  const { peakRss } = await worker.usage();
  const memory = Math.max(0, peakRss - rss);
  return {
    seconds,
    failed,
    memory,
    longest: rows[0] ?? { ms: 0, query: '' },
    lock: longestHold,
    page: at(times, 0.99),
  };
}

const excessOf = ({ failed, memory, longest, lock, page }) => [
  ...failed,
  ...(longest.ms > BUDGET.statementMs
    ? [`a statement of ${(longest.ms / 1000).toFixed(1)} s: ${longest.query.replaceAll(/\s+/g, ' ').slice(0, 120)}`]
    : []),
  ...(memory > BUDGET.memoryBytes ? [`${(memory / 1e6).toFixed(0)} MB more memory`] : []),
  ...(lock.ms > BUDGET.lockMs ? [`${lock.table} is locked exclusively for ${(lock.ms / 1000).toFixed(1)} s`] : []),
  ...(page > BUDGET.pageP99Ms ? [`an install page takes ${page.toFixed(0)} ms at p99 beside it`] : []),
];

/** @returns the jobs that exceed the budget. */
export async function measureJobs({ large }, { report, filter }) {
  const [database, watching, statistics] = [
    await large.connect(),
    await large.connect(),
    await large.connect('postgres'),
  ];
  await statistics.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  const worker = await large.launch({ ROLE: 'worker' });
  const api = await large.launch();
  const locks = watchLocks(watching);
  const role = new URL(large.postgres.url).username;
  const token = large.subject.parameters.invite_token;
  for (let sent = 0; sent < WARM_UP; sent += 1) await request(api.port, `/install/${token}`);
  const missed = [];
  const rows = {};
  for (const name of await schedulesOf(database)) {
    if (!filter.split(',').some((part) => name.includes(part))) continue;
    const result = await measureJob(name, { worker, api, database, statistics, locks, role, token });
    const excess = excessOf(result);
    if (excess.length > 0) missed.push(`${name}: ${excess.join(', ')}`);
    rows[name] = {
      seconds: result.seconds.toFixed(1),
      'longest statement (ms)': result.longest.ms.toFixed(0),
      'memory (MB)': (result.memory / 1e6).toFixed(0),
      'page p99 (ms)': result.page.toFixed(0),
      '': excess.length === 0 ? '' : 'MISSED',
    };
  }
  await locks.stop();
  await large.stopServices();
  report(rows);
  return missed;
}
