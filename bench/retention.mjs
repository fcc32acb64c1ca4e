// Measures retention in a project of a hundred thousand builds: the preview, the run that announces deletions, and the run that deletes, with
// the memory of the process, and what they do to the reads of another organization.
// npm run bench retention; BENCH_BUILDS changes the number of builds.
//
// Exits with 1 when the preview takes more than a second, or than ten seconds per million builds, the 99th percentile of the reads of the
// other organization is more than 1.5 times that without a run, or the memory grows by more than 100 MB.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureBuilt } from '../scripts/support/builds.mjs';
import { Failure, root, run } from '../scripts/support/project.mjs';
import { copies } from './many-rows.mjs';
import { startService } from './real-service.mjs';
import { closeConnections, upload } from './transfer.mjs';

const require = createRequire(import.meta.url);
const pg = require('pg');
const BUILDS = Number(process.env.BENCH_BUILDS ?? 100_000);
const KEPT = 100;
const READS = 400;
const PAUSE_MS = 25;
const MAX_PREVIEW_MS = Math.max(1_000, BUILDS / 100);
const MAX_RATIO = 1.5;
const MAX_GROWTH = 100_000_000;
const DAY_MS = 86_400_000;

await run(async () => {
  await ensureBuilt();
  const { startEmbeddedPostgres } = require(join(root, 'dist/src/infra/database/embedded/embedded-postgres.js'));
  const folder = mkdtempSync(join(tmpdir(), 'agate-retention-'));
  const postgres = await startEmbeddedPostgres({ dataDirectory: folder, log: () => undefined });
  const service = await startService({ DATABASE_URL: postgres.url, DATABASE_OWNER_URL: postgres.ownerUrl });
  const database = new pg.Client({ connectionString: postgres.ownerUrl });
  try {
    await database.connect();
    report(await measure(service, database));
  } finally {
    closeConnections();
    await database.end();
    await service.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

async function measure(service, database) {
  await upload(service, 1_000);
  const hot = await service.createTenant('Hot');
  const [organization, project] = [...new URLSearchParams(hot.scope).values()];
  await fill(database, organization, project);
  const call = async (method, path, body) => {
    const started = performance.now();
    const response = await fetch(`http://127.0.0.1:${service.port}/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${service.login}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return { ms: performance.now() - started, body: JSON.parse(text) };
  };
  const at = `/projects/${project}/retention`;
  const rules = [{ keep_last: KEPT, per: 'project' }];
  const previews = [];
  let preview;
  for (let n = 0; n < 5; n += 1) {
    preview = await call('POST', `${at}/preview?organization_id=${organization}`, { rules });
    previews.push(preview.ms);
  }
  const reads = () => readsOf(service);
  const alone = await reads();
  const before = memoryOf(service);
  const count = async (condition) => {
    const { rows } = await database.query(
      `SELECT count(*)::int AS n FROM build WHERE project_id = $1 AND ${condition}`,
      [project],
    );
    return rows[0].n;
  };
  let highest = 0;
  /** Starts a run and reads until it has changed all builds. */
  const during = async (start, condition) => {
    const started = performance.now();
    await start();
    const times = [];
    while ((await count(condition)) < preview.body.builds) {
      times.push(...(await reads()));
      highest = Math.max(highest, memoryOf(service));
    }
    return { seconds: (performance.now() - started) / 1000, times };
  };
  const enables = () =>
    call('PUT', `${at}?organization_id=${organization}`, {
      rules,
      enabled: true,
      fingerprint: preview.body.fingerprint,
    });
  const announced = await during(enables, 'expires_at IS NOT NULL');
  await database.query(`UPDATE build SET expires_at = now() - interval '1 minute' WHERE expires_at IS NOT NULL`);
  await database.query('VACUUM ANALYZE build');
  const runs = () => database.query(`SELECT FROM graphile_worker.add_job('builds.apply-retention')`);
  const deleted = await during(runs, 'deleted_at IS NOT NULL');
  return { builds: preview.body.builds, previews, alone, announced, deleted, growth: highest - before };
}

/** Copies a build. All are older than two days, with a hundred branches. */
async function fill(database, organization, project) {
  const from = `(SELECT uuidv7(make_interval(days => -2, secs => -n)) AS id, n FROM generate_series(1, ${BUILDS}) AS n) AS x`;
  const old = new Date(Date.now() - 2 * DAY_MS).toISOString();
  const changes = `'id', x.id, 'organization_id', '${organization}', 'project_id', '${project}', 'blob_key', 'builds/' || x.id,
    'branch', 'b' || x.n % 100, 'uploaded_at', '${old}'`;
  await database.query(copies('build', from, changes));
  await database.query('VACUUM ANALYZE build');
}

/** Lists the builds of another organization many times, one after another. @returns the times in milliseconds. */
async function readsOf({ port, scope, headers }) {
  const agent = new Agent({ keepAlive: true });
  const times = [];
  for (let n = 0; n < READS; n += 1) {
    const started = performance.now();
    await new Promise((resolve, reject) => {
      get({ port, host: '127.0.0.1', path: `/api/v1/builds?${scope}&limit=20`, headers, agent }, (response) =>
        response.resume().on('end', resolve).on('error', reject),
      ).on('error', reject);
    });
    times.push(performance.now() - started);
    await sleep(PAUSE_MS);
  }
  agent.destroy();
  return times;
}

/** The resident memory of the service. */
function memoryOf({ pid }) {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

function percentile(times, share) {
  return times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * share)];
}

function report({ builds, previews, alone, announced, deleted, growth }) {
  const preview = percentile(previews, 0.5);
  const ratios = [announced, deleted].map(({ times }) => percentile(times, 0.99) / percentile(alone, 0.99));
  console.log(`${builds} of ${BUILDS} builds. Preview: ${preview.toFixed(0)} ms (median of ${previews.length}).`);
  console.log(`Reads of others alone: p99 ${percentile(alone, 0.99).toFixed(1)} ms.`);
  for (const [name, { seconds, times }, ratio] of [
    ['Announcements', announced, ratios[0]],
    ['Deletions', deleted, ratios[1]],
  ])
    console.log(
      `${name}: ${seconds.toFixed(0)} s, reads of others p99 ${percentile(times, 0.99).toFixed(1)} ms (${ratio.toFixed(2)}x).`,
    );
  console.log(`Memory: ${(growth / 1_000_000).toFixed(0)} MB more.`);
  if (preview > MAX_PREVIEW_MS || Math.max(...ratios) > MAX_RATIO || growth > MAX_GROWTH)
    throw new Failure('A limit is exceeded.');
}
