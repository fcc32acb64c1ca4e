// Tests that a new release can migrate a large database while the previous release serves requests.
// npm run bench migrations [-- --rows 1000000 --rate 50 --undo 2]
//
// Fills the large tables, sends lists, uploads, downloads and changes at a constant rate to the service, and at the same time migrates to
// a fictitious release (next-release.cjs) with `--migrate-only`, during a long read transaction like that of a backup; then down, and up
// again. Finally, with the service stopped, runs the newest migrations of this release down and up. Exits with 1 when a limit is exceeded.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../scripts/support/builds.mjs';
import { root } from '../scripts/support/project.mjs';
import { watchLocks } from './lock-watch.mjs';
import { fillTables } from './many-rows.mjs';
import { startService } from './real-service.mjs';
import { closeConnections, download, upload } from './transfer.mjs';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    rate: { type: 'string', default: '50' },
    undo: { type: 'string', default: '2' },
  },
});
const [ROWS, RATE, UNDO] = [values.rows, values.rate, values.undo].map(Number);
const MAX_OPEN = 500;
const UPLOAD_BYTES = 50_000;
const [WARM_UP_MS, QUIET_MS, READER_MS] = [10_000, 30_000, 10_000];
const LIMITS = { exclusiveMs: 1_000, p99Ms: 1_000 };
const GROWING = ['tester', 'build', 'build_download', 'ledger_entry', 'audit_event'];

await ensureBuilt();
const require = createRequire(import.meta.url);
const pg = require('pg');
const { DataSource } = require('typeorm');
const nextMigrations = require('./next-release.cjs');
const { startEmbeddedPostgres } = require(join(root, 'dist/src/infra/database/embedded/embedded-postgres.js'));

const folder = mkdtempSync(join(tmpdir(), 'agate-migrations-'));
const postgres = await startEmbeddedPostgres({ dataDirectory: join(folder, 'postgres'), log: () => undefined });
const end = async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
};
for (const reason of ['uncaughtException', 'SIGINT', 'SIGTERM'])
  process.once(reason, (error) => {
    console.error(error);
    void end().finally(() => process.exit(1));
  });
const connect = async () => {
  const client = new pg.Client({ connectionString: postgres.ownerUrl });
  await client.connect();
  return client;
};
const database = await connect();
const urls = { DATABASE_URL: postgres.url, DATABASE_OWNER_URL: postgres.ownerUrl };
const service = await startService({
  ...urls,
  TRIAL_CREDIT_MICRO_USD: '1000000000000',
  QUOTA_TESTERS_PER_PROJECT: String(2 * ROWS),
});

/** The duration of `work` in seconds. */
const timed = async (work) => {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
};
const rowsOf = async (table) => Number((await database.query(`SELECT count(*) FROM ${table}`)).rows[0].count);
async function allRows() {
  const counts = {};
  for (const table of GROWING) counts[table] = await rowsOf(table);
  return counts;
}

/** Creates the next release: a copy of this one with additional migrations. */
function nextRelease() {
  const release = join(folder, 'next');
  mkdirSync(release);
  cpSync(join(root, 'dist'), join(release, 'dist'), { recursive: true });
  copyFileSync(join(root, 'package.json'), join(release, 'package.json'));
  symlinkSync(join(root, 'node_modules'), join(release, 'node_modules'));
  copyFileSync(
    new URL('next-release.cjs', import.meta.url),
    join(release, 'dist/migrations/1900000000000-next-release.js'),
  );
  return release;
}

async function migrate(release) {
  const child = spawn(process.execPath, ['dist/src/main.js', '--migrate-only'], {
    cwd: release,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, DATA_DIR: join(folder, 'data'), LOG_FORMAT: 'json', ...urls },
  });
  child.stdout
    .setEncoding('utf8')
    .on('data', (text) => /"level":"(warn|error|fatal)"/.test(text) && console.log(text.trim()));
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`--migrate-only exited with ${code}`);
}

/** Reverts the newest migrations. The service has no command for that, because operators restore a backup instead. */
async function undo(release, count) {
  const dist = (name) => require(join(release, `dist/src/infra/database/${name}.js`));
  const options = dist('data-source-options').migrationDataSourceOptions(postgres.ownerUrl, 1);
  const extra = { ...options.extra, lock_timeout: 500 };
  const dataSource = await new DataSource({ ...options, extra }).initialize();
  for (let left = count; left > 0; left -= 1)
    await dist('migrations/retry-on-lock-timeout').retryOnLockTimeout(() => dataSource.undoLastMigration(), {
      log: console.log,
    });
  await dataSource.destroy();
}

const { id: buildId } = JSON.parse(await upload(service, UPLOAD_BYTES));
const newTester = (email) => service.post('/testers', { email });
const { id: testerId } = await newTester('first@example.com');
await download(service, await service.mint(buildId));
while ((await rowsOf('build_download')) === 0) await sleep(100);

console.log(`filling the tables with ${ROWS} rows`);
console.log(`filled in ${(await timed(() => fillTables(database, ROWS))).toFixed(0)} s:`, await allRows());

const scope = service.uploadPath.split('?')[1];
const get = (route) => () => download(service, `/api/v1/${route}?${scope}`, service.headers);
let started = 0;
const requests = [
  ...[get('builds'), get('testers'), () => newTester(`new-${started}@example.com`), get(`builds/${buildId}`)],
  ...[get('testers'), () => upload(service, UPLOAD_BYTES), get('builds'), get(`builds/${buildId}/downloads`)],
  ...[get(`testers/${testerId}`), async () => download(service, await service.mint(buildId))],
];

const phases = new Map();
let phase;
const enter = (name) => {
  phase = { durations: [], failures: new Map() };
  phases.set(name, phase);
};
enter('warm-up');
const open = new Set();
let stopped = false;
const sending = (async () => {
  for (let dueAt = performance.now(); !stopped; dueAt += 1000 / RATE) {
    const early = dueAt - performance.now();
    if (early > 0) await sleep(early);
    if (open.size >= MAX_OPEN) await Promise.race(open);
    const [{ durations, failures }, due] = [phase, dueAt];
    const one = requests[started++ % requests.length]()
      .catch(({ message }) => {
        const kind = /\b[45]\d\d\b/.exec(message)?.[0] ?? message;
        failures.set(kind, (failures.get(kind) ?? 0) + 1);
      })
      // Measured from the due time, so that a request that had to wait for slow ones counts as slow.
      .finally(() => durations.push(performance.now() - due) && open.delete(one));
    open.add(one);
  }
  await Promise.all(open);
})();

const watching = await connect();
const locks = watchLocks(watching);
const steps = [];
const step = async (name, work) => {
  enter(name);
  locks.take();
  const seconds = await timed(work);
  steps.push({ name, seconds, load: loadavg()[0], ...locks.take() });
};

await sleep(WARM_UP_MS);
await step('before', () => sleep(QUIET_MS));
const release = nextRelease();
const reader = await connect();
await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
for (const table of GROWING) await reader.query(`SELECT FROM ${table} LIMIT 1`);
const reading = (async () => {
  while ((await rowsOf(`pg_locks WHERE mode = 'AccessExclusiveLock' AND NOT granted`)) === 0) await sleep(10);
  await sleep(READER_MS);
  await reader.end();
})();
await step(`up, behind a reader of ${READER_MS / 1000} s`, () => migrate(release));
await reading;
const { rows: grants } = await database.query(
  `SELECT has_table_privilege('agate_app', 'next_zone', 'INSERT') AS given`,
);
await step('down', () => undo(release, Object.keys(nextMigrations).length));
await step('up again', () => migrate(release));
stopped = true;
await sending;
closeConnections();
await locks.stop();
await service.stop();

const before = await allRows();
await undo(release, Object.keys(nextMigrations).length);
const newest = (await database.query('SELECT name FROM migration ORDER BY id DESC LIMIT $1', [UNDO])).rows;
const downs = [];
for (const { name } of newest) downs.push(`${name} ${(await timed(() => undo(root, 1))).toFixed(1)} s`);
const upSeconds = await timed(() => migrate(root));
const isUnchanged = JSON.stringify(await allRows()) === JSON.stringify(before);

const at = (sorted, share) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]);
const results = steps.map(({ name, seconds, load, longestHold, longestWait }) => {
  const { durations, failures } = phases.get(name);
  const sorted = durations.toSorted((a, b) => a - b);
  const lock = ({ ms, table, mode, role }) => (ms > 0 ? `${Math.round(ms)} ms (${role}, ${mode} on ${table})` : 'none');
  const failed = [...failures].map(([message, times]) => `${times} x ${message}`).join('; ') || 'none';
  const [p50, p99, slowest] = [at(sorted, 0.5), at(sorted, 0.99), at(sorted, 1)];
  console.log(`${name}: ${seconds.toFixed(1)} s, load of the machine ${load.toFixed(1)}`);
  console.log(`  ${durations.length} requests: p50 ${p50} ms, p99 ${p99} ms, slowest ${slowest} ms; failed: ${failed}`);
  console.log(`  longest exclusive lock ${lock(longestHold)}; longest wait for a lock ${lock(longestWait)}`);
  return { p99, failures: failures.size, exclusive: longestHold.ms };
});
console.log(`with the service stopped, down: ${downs.join(', ')}; up: ${upSeconds.toFixed(1)} s`);

if (results[0].p99 >= LIMITS.p99Ms) console.log('The machine is too busy: requests were slow before the migration.');
const exceeded = [
  results.some(({ p99 }) => p99 >= LIMITS.p99Ms) && 'requests were slow',
  results.some(({ exclusive }) => exclusive > LIMITS.exclusiveMs) && 'a table was locked exclusively',
  results.some(({ failures }) => failures > 0) && 'requests failed',
  !grants[0].given && 'the service has no privileges on the new table',
  !isUnchanged && 'rows were lost',
].filter(Boolean);
console.log(exceeded.length > 0 ? `EXCEEDED: ${exceeded.join(', ')}` : 'all limits are met');
process.exitCode = exceeded.length > 0 ? 1 : 0;

await Promise.all([database.end(), watching.end()]);
await end();
