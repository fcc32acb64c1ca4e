// npm run bench:soak [-- --minutes 30 --rate 100]: does the service leak (reliability M10)?
//
// Reads, uploads, downloads, and uploads that are given up in the middle, at a rate that does not wait for answers, against the
// service as `npm start` runs it, with a PostgreSQL of its own. After a fifth of the time to warm up, its memory, file descriptors and
// database connections are followed; at the end, what the given-up uploads left. Exits with 1 when a bar is missed. For Linux (/proc).
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { createRequire } from 'node:module';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ensureBuilt, root } from '../scripts/support/project.mjs';
import { startService } from './real-service.mjs';
import { closeConnections, download, upload } from './transfer.mjs';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '30' }, rate: { type: 'string', default: '100' } },
});
const MINUTES = Number(values.minutes);
const RATE = Number(values.rate);
const MOST_OPEN = 50;
const UPLOAD_BYTES = 50_000;
const SAMPLE_MS = 2_000;
const POOL_SIZE = 10;
const BARS = { slopeMbPerMinute: 1, descriptors: 10 };

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

/** Half of what was announced, and the client is gone. */
const giveUp = () =>
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
const deck = [
  ...[() => get(builds), () => get('/api/v1/ready'), () => upload(service, UPLOAD_BYTES), () => get(builds), giveUp],
  ...[() => get(builds), fetchBuild, () => get(builds), () => get(`/api/v1/builds/${buildId}?${builds.split('?')[1]}`)],
  () => download(service, '/api/v1/.well-known/jwks.json'),
];

const samples = [];
const failures = new Map();
const open = new Set();
const beganAt = performance.now();
const minutes = () => (performance.now() - beganAt) / 60_000;
let started = 0;

const sampling = (async () => {
  while (minutes() < MINUTES) {
    const { rss } = await service.usage();
    samples.push({ at: minutes(), rss: rss / 1e6, fds: descriptors(), connections: await connections() });
    await sleep(SAMPLE_MS);
  }
})();
for (let dueAt = beganAt; minutes() < MINUTES; dueAt += 1000 / RATE) {
  const early = dueAt - performance.now();
  if (early > 0) await sleep(early);
  if (open.size >= MOST_OPEN) {
    await Promise.race(open);
    dueAt = Math.max(dueAt, performance.now());
  }
  const one = deck[started++ % deck.length]()
    .catch((error) => failures.set(error.message.slice(0, 80), (failures.get(error.message.slice(0, 80)) ?? 0) + 1))
    .finally(() => open.delete(one));
  open.add(one);
}
await Promise.all([...open, sampling]);
closeConnections();

// A minute, in which the sweeper of uploads runs too, and connections that nobody uses may be closed.
await sleep(65_000);
const left = {
  fds: descriptors(),
  uploads: await count('artifact_upload'),
  reservations: await count(`reservation WHERE state = 'active'`),
};

const warm = samples.filter(({ at }) => at > MINUTES / 5);
const spread = (name) => {
  const all = warm.map((sample) => sample[name]);
  return { least: Math.min(...all), most: Math.max(...all) };
};
/** Least squares: megabytes a minute. */
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
  `${started} requests in ${MINUTES} minutes: ${Math.round(started / MINUTES / 60)} a second of ${RATE} wanted`,
);
console.log(`load of the machine at the end: ${loadavg()[0].toFixed(1)}`);
console.log(
  `memory: ${slope.toFixed(2)} MB a minute; ${rss.least.toFixed(0)} to ${rss.most.toFixed(0)} MB; medians of the thirds ${thirds.join(', ')} MB`,
);
console.log(`file descriptors: ${fds.least} to ${fds.most} under load; ${idleFds} before, ${left.fds} a minute after`);
console.log(`database connections: ${busy.least} to ${busy.most}, requests and jobs together`);
console.log(`left of given-up uploads: ${left.uploads} unfinished, ${left.reservations} reserved`);
console.log(`failed: ${[...failures].map(([message, times]) => `${times} x ${message}`).join('; ') || 'none'}`);

const missed = [
  slope >= BARS.slopeMbPerMinute && 'memory grows',
  left.fds - idleFds > BARS.descriptors && 'file descriptors stay open',
  (left.uploads > 0 || left.reservations > 0) && 'given-up uploads stay',
  failures.size > 0 && 'requests failed',
].filter(Boolean);
console.log(missed.length > 0 ? `MISSED: ${missed.join(', ')}` : 'every bar is kept');
process.exitCode = missed.length > 0 ? 1 : 0;

await service.stop();
await database.end();
await postgres.stop();
rmSync(folder, { recursive: true, force: true });
