// npm run bench:migrations [-- --rows 1000000 --rate 50 --undo 2]: may a release migrate while the previous one serves (reliability M8)?
//
// Fills the tables that grow, asks the service as `npm start` runs it for lists, uploads, downloads and changes at a rate that does
// not wait for answers, and migrates meanwhile: to a release that is never made (next-release.cjs), by its own `--migrate-only`,
// while somebody reads everything as a backup does; down; and up again. Then, with the service stopped, the newest migrations of
// this release down and up. Exits with 1 when a bar is missed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ensureBuilt, root } from '../scripts/support/project.mjs';
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
const MOST_OPEN = 500;
const UPLOAD_BYTES = 50_000;
const [WARM_UP_MS, QUIET_MS, READER_MS] = [10_000, 30_000, 10_000];
const BARS = { exclusiveMs: 1_000, p99Ms: 1_000 };
const GROWING = ['tester', 'build', 'build_download', 'ledger_entry', 'audit_event'];

await ensureBuilt();
const require = createRequire(import.meta.url);
const pg = require('pg');
const { DataSource } = require('typeorm');
const made = require('./next-release.cjs');
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

/** Seconds that it took. */
const timed = async (work) => {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
};
const rowsOf = async (table) => Number((await database.query(`SELECT count(*) FROM ${table}`)).rows[0].count);
async function allRows() {
  const counts = {};
  for (const table of GROWING) counts[table] = await rowsOf(table);
  return counts;
}

/** The next release, as an operator has it: this one, with more migrations. */
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
  if (code !== 0) throw new Error(`--migrate-only ended with ${code}`);
}

/** There is no command for it: whoever goes back restores a backup. */
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

console.log(`${ROWS} rows of most: filling`);
console.log(`filled in ${(await timed(() => fillTables(database, ROWS))).toFixed(0)} s:`, await allRows());

const scope = service.uploadPath.split('?')[1];
const get = (route) => () => download(service, `/api/v1/${route}?${scope}`, service.headers);
let started = 0;
const deck = [
  ...[get('builds'), get('testers'), () => newTester(`new-${started}@example.com`), get(`builds/${buildId}`)],
  ...[get('testers'), () => upload(service, UPLOAD_BYTES), get('builds'), get(`builds/${buildId}/downloads`)],
  ...[get(`testers/${testerId}`), async () => download(service, await service.mint(buildId))],
];

const phases = new Map();
let phase;
const enter = (name) => {
  phase = { took: [], failures: new Map() };
  phases.set(name, phase);
};
enter('warm-up');
const open = new Set();
let isOver = false;
const asking = (async () => {
  for (let dueAt = performance.now(); !isOver; dueAt += 1000 / RATE) {
    const early = dueAt - performance.now();
    if (early > 0) await sleep(early);
    if (open.size >= MOST_OPEN) await Promise.race(open);
    const [{ took, failures }, due] = [phase, dueAt];
    const one = deck[started++ % deck.length]()
      .catch(({ message }) => {
        const kind = /\b[45]\d\d\b/.exec(message)?.[0] ?? message;
        failures.set(kind, (failures.get(kind) ?? 0) + 1);
      })
      // Since it was due: a request that came late because others were slow is slow, too.
      .finally(() => took.push(performance.now() - due) && open.delete(one));
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
await step('down', () => undo(release, Object.keys(made).length));
await step('up again', () => migrate(release));
isOver = true;
await asking;
closeConnections();
await locks.stop();
await service.stop();

const before = await allRows();
await undo(release, Object.keys(made).length);
const newest = (await database.query('SELECT name FROM migration ORDER BY id DESC LIMIT $1', [UNDO])).rows;
const downs = [];
for (const { name } of newest) downs.push(`${name} ${(await timed(() => undo(root, 1))).toFixed(1)} s`);
const upSeconds = await timed(() => migrate(root));
const isKept = JSON.stringify(await allRows()) === JSON.stringify(before);

const at = (sorted, share) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]);
const results = steps.map(({ name, seconds, load, longestHold, longestWait }) => {
  const { took, failures } = phases.get(name);
  const sorted = took.toSorted((a, b) => a - b);
  const lock = ({ ms, table, mode, role }) => (ms > 0 ? `${Math.round(ms)} ms (${role}, ${mode} on ${table})` : 'none');
  const failed = [...failures].map(([message, times]) => `${times} x ${message}`).join('; ') || 'none';
  const [p50, p99, slowest] = [at(sorted, 0.5), at(sorted, 0.99), at(sorted, 1)];
  console.log(`${name}: ${seconds.toFixed(1)} s, load of the machine ${load.toFixed(1)}`);
  console.log(`  ${took.length} requests: p50 ${p50} ms, p99 ${p99} ms, slowest ${slowest} ms; failed: ${failed}`);
  console.log(`  held for itself at most ${lock(longestHold)}; waited for a table at most ${lock(longestWait)}`);
  return { p99, failures: failures.size, exclusive: longestHold.ms };
});
console.log(`with the service stopped, down: ${downs.join(', ')}; up: ${upSeconds.toFixed(1)} s`);

if (results[0].p99 >= BARS.p99Ms)
  console.log('The machine is too busy: requests were slow before anything was migrated.');
const missed = [
  results.some(({ p99 }) => p99 >= BARS.p99Ms) && 'requests were slow',
  results.some(({ exclusive }) => exclusive > BARS.exclusiveMs) && 'a table was held',
  results.some(({ failures }) => failures > 0) && 'requests failed',
  !grants[0].given && 'the new table is not granted',
  !isKept && 'rows were lost',
].filter(Boolean);
console.log(missed.length > 0 ? `MISSED: ${missed.join(', ')}` : 'every bar is kept');
process.exitCode = missed.length > 0 ? 1 : 0;

await Promise.all([database.end(), watching.end()]);
await end();
