// Detects leaks of memory, file descriptors, database connections and unfinished uploads.
// npm run bench soak [-- --minutes 30 --rate 100]
//
// Sends reads, uploads, downloads and aborted uploads at a constant rate to the service. After a warm-up of a fifth of the time, samples
// memory, file descriptors and database connections; at the end, counts the rows that aborted uploads left. Exits with 1 when a limit is
// exceeded. Linux only (/proc).
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { createRequire } from 'node:module';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../scripts/support/builds.mjs';
import { root } from '../scripts/support/project.mjs';
import { startService } from './real-service.mjs';
import { closeConnections, download, upload } from './transfer.mjs';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '30' }, rate: { type: 'string', default: '100' } },
});
const MINUTES = Number(values.minutes);
const RATE = Number(values.rate);
const MAX_OPEN = 50;
const UPLOAD_BYTES = 50_000;
const SAMPLE_MS = 2_000;
const POOL_SIZE = 10;
const LIMITS = { slopeMbPerMinute: 1, descriptors: 10 };

await ensureBuilt();
const require = createRequire(import.meta.url);
const pg = require('pg');
const { startEmbeddedPostgres } = require(join(root, 'dist/src/infra/database/embedded/embedded-postgres.js'));

const folder = mkdtempSync(join(tmpdir(), 'agate-soak-'));
const postgres = await startEmbeddedPostgres({ dataDirectory: join(folder, 'postgres'), log: () => undefined });
const database = new pg.Client({ connectionString: postgres.ownerUrl });
await database.connect();
const service = await startService({
  DATABASE_URL: postgres.url,
  DATABASE_OWNER_URL: postgres.ownerUrl,
  DATABASE_POOL_SIZE: String(POOL_SIZE),
  TRIAL_CREDIT_MICRO_USD: '1000000000000',
});

const count = async (query) => Number((await database.query(`SELECT count(*) FROM ${query}`)).rows[0].count);
const connections = () => count(`pg_stat_activity WHERE application_name LIKE 'agate%'`);
const descriptors = () => readdirSync(`/proc/${service.pid}/fd`).length;

const get = (path) => download(service, path, service.headers);
const builds = service.uploadPath;
const { id: buildId } = JSON.parse(await upload(service, 1_000_000));

/** Sends half of the announced bytes and closes the connection. */
const abortUpload = () =>
  new Promise((resolve) => {
    const headers = {
      ...service.headers,
      'Content-Type': 'multipart/form-data; boundary=b',
      'Content-Length': 2_000_000,
    };
    const outgoing = request({
      port: service.port,
      host: '127.0.0.1',
      path: builds,
      method: 'POST',
      agent: false,
      headers,
    });
    outgoing.on('error', () => undefined).on('close', resolve);
    outgoing.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n');
    outgoing.write(Buffer.alloc(1_000_000), () => outgoing.destroy());
  });
const fetchBuild = async () => download(service, await service.mint(buildId));
const requests = [
  ...[
    () => get(builds),
    () => get('/api/v1/ready'),
    () => upload(service, UPLOAD_BYTES),
    () => get(builds),
    abortUpload,
  ],
  ...[() => get(builds), fetchBuild, () => get(builds), () => get(`/api/v1/builds/${buildId}?${builds.split('?')[1]}`)],
  () => download(service, '/api/v1/.well-known/jwks.json'),
];

const samples = [];
const failures = new Map();
const open = new Set();
const startedAt = performance.now();
const minutes = () => (performance.now() - startedAt) / 60_000;
let started = 0;

const sampling = (async () => {
  while (minutes() < MINUTES) {
    const { rss } = await service.usage();
    samples.push({ at: minutes(), rss: rss / 1e6, fds: descriptors(), connections: await connections() });
    await sleep(SAMPLE_MS);
  }
})();
for (let dueAt = startedAt; minutes() < MINUTES; dueAt += 1000 / RATE) {
  const early = dueAt - performance.now();
  if (early > 0) await sleep(early);
  if (open.size >= MAX_OPEN) {
    await Promise.race(open);
    dueAt = Math.max(dueAt, performance.now());
  }
  const one = requests[started++ % requests.length]()
    .catch((error) => failures.set(error.message.slice(0, 80), (failures.get(error.message.slice(0, 80)) ?? 0) + 1))
    .finally(() => open.delete(one));
  open.add(one);
}
await Promise.all([...open, sampling]);
closeConnections();

// A minute for the sweep of uploads, and for idle connections to be closed.
await sleep(65_000);
const after = {
  fds: descriptors(),
  uploads: await count('artifact_upload'),
  reservations: await count(`reservation WHERE state = 'active'`),
};

const warm = samples.filter(({ at }) => at > MINUTES / 5);
const spread = (name) => {
  const all = warm.map((sample) => sample[name]);
  return { least: Math.min(...all), most: Math.max(...all) };
};
/** The growth of the memory in megabytes per minute, by least squares. */
const slope = (() => {
  const mean = (name) => warm.reduce((sum, sample) => sum + sample[name], 0) / warm.length;
  const [at, rss] = [mean('at'), mean('rss')];
  const over = warm.reduce((sum, sample) => sum + (sample.at - at) * (sample.rss - rss), 0);
  return over / warm.reduce((sum, sample) => sum + (sample.at - at) ** 2, 0);
})();
const thirds = [0, 1, 2].map((n) => {
  const part = warm.slice(Math.floor((n * warm.length) / 3), Math.floor(((n + 1) * warm.length) / 3));
  return Math.round(part.map(({ rss }) => rss).toSorted((a, b) => a - b)[Math.floor(part.length / 2)]);
});
const [fds, rss, busy] = [spread('fds'), spread('rss'), spread('connections')];
const idleFds = samples[0].fds;

console.log(
  `${started} requests in ${MINUTES} minutes: ${Math.round(started / MINUTES / 60)} per second, of ${RATE} intended`,
);
console.log(`load of the machine at the end: ${loadavg()[0].toFixed(1)}`);
console.log(
  `memory: ${slope.toFixed(2)} MB per minute; ${rss.least.toFixed(0)} to ${rss.most.toFixed(0)} MB; medians of the thirds ${thirds.join(', ')} MB`,
);
console.log(`file descriptors: ${fds.least} to ${fds.most} under load; ${idleFds} before, ${after.fds} a minute later`);
console.log(`database connections: ${busy.least} to ${busy.most}, for requests and jobs`);
console.log(`left by aborted uploads: ${after.uploads} unfinished uploads, ${after.reservations} reservations`);
console.log(`failed: ${[...failures].map(([message, times]) => `${times} x ${message}`).join('; ') || 'none'}`);

const exceeded = [
  slope >= LIMITS.slopeMbPerMinute && 'memory grows',
  after.fds - idleFds > LIMITS.descriptors && 'file descriptors leak',
  (after.uploads > 0 || after.reservations > 0) && 'aborted uploads leave rows',
  failures.size > 0 && 'requests failed',
].filter(Boolean);
console.log(exceeded.length > 0 ? `EXCEEDED: ${exceeded.join(', ')}` : 'all limits are met');
process.exitCode = exceeded.length > 0 ? 1 : 0;

await service.stop();
await database.end();
await postgres.stop();
rmSync(folder, { recursive: true, force: true });
