// Measures the nightly deletion of a million rows of each kind of data that grows with use, beside requests.
// npm run bench retention; BENCH_ROWS changes the number.
import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureBuilt } from '../scripts/support/builds.mjs';
import { root } from '../scripts/support/project.mjs';
import { startService } from './real-service.mjs';
import { upload } from './transfer.mjs';

const require = createRequire(import.meta.url);
const pg = require('pg');
const ROWS = Number(process.env['BENCH_ROWS'] ?? 1_000_000);
/** Testers of the mails and links; each gets as many rows as needed. */
const TESTERS = 10_000;

const KINDS = [
  ['Mails about releases', 'release.prune-mails', 'release_mail'],
  ['Links of testers', 'install-links.prune', 'invite WHERE tester_id IS NOT NULL'],
  ['Download log', 'builds.prune-download-log', 'build_download'],
];

const OLD = `now() - interval '3 years'`;

/** Adds one channel with enough replaced releases, and old rows of each kind, beside a tenth as many young ones. */
const FILL = [
  `CREATE TABLE ids AS SELECT organization_id, project_id, id AS build_id, uuidv7() AS channel_id FROM build LIMIT 1`,
  `INSERT INTO channel (id, organization_id, project_id, name, last_sequence, created_at)
   SELECT channel_id, organization_id, project_id, 'Bench', 0, ${OLD} FROM ids`,
  `INSERT INTO tester (id, organization_id, project_id, email, email_key, platforms, created_at)
   SELECT uuidv7(), organization_id, project_id, 't' || n || '@example.com', 't' || n || '@example.com', '{}', ${OLD}
   FROM ids, generate_series(1, ${TESTERS}) AS n`,
  `INSERT INTO release (id, organization_id, project_id, channel_id, build_id, platform, sequence, promoted_by_kind, promoted_at)
   SELECT uuidv7(), organization_id, project_id, channel_id, build_id, 'android', n, 'developer', ${OLD} + interval '1 hour' * n
   FROM ids, generate_series(1, ${ROWS / TESTERS} + 1) AS n`,
  `INSERT INTO release_mail (organization_id, project_id, release_id, tester_id, queued_at)
   SELECT t.organization_id, t.project_id, r.id, t.id, ${OLD} FROM tester t, release r`,
  `INSERT INTO invite (id, organization_id, project_id, tester_id, digest, created_at)
   SELECT uuidv7(), t.organization_id, t.project_id, t.id, sha256((t.id::text || n)::bytea),
     CASE WHEN n % 11 = 0 THEN now() ELSE ${OLD} END
   FROM tester t, generate_series(1, ${(ROWS / TESTERS) * 1.1}) AS n`,
  `INSERT INTO build_download (id, organization_id, project_id, build_id, ticket_id, minted_by_kind, device_family, started_at)
   SELECT uuidv7(), organization_id, project_id, build_id, gen_random_uuid(), 'developer', 'other',
     CASE WHEN n % 11 = 0 THEN now() ELSE ${OLD} END
   FROM ids, generate_series(1, ${ROWS * 1.1}) AS n`,
  'ANALYZE',
];

/** Sends requests for an install page one after another until `done`. @returns the response times in milliseconds. */
async function requestsUntil(done, port, path) {
  const times = [];
  while (!done()) {
    const started = performance.now();
    await new Promise((resolve, reject) => {
      get({ port, host: '127.0.0.1', path }, (incoming) => incoming.resume().on('end', resolve)).on('error', reject);
    });
    times.push(performance.now() - started);
    await sleep(20);
  }
  return times.sort((a, b) => a - b);
}

async function runJob(database, name) {
  const started = performance.now();
  await database.query('SELECT FROM graphile_worker.add_job($1)', [name]);
  for (let left = 1; left > 0; await sleep(100)) {
    const { rows } = await database.query(
      'SELECT count(*)::int AS left FROM graphile_worker.jobs WHERE task_identifier = $1 AND (locked_at IS NOT NULL OR attempts < 1)',
      [name],
    );
    left = rows[0].left;
  }
  return (performance.now() - started) / 1000;
}

await ensureBuilt();
const { startEmbeddedPostgres } = require(join(root, 'dist/src/infra/database/embedded/embedded-postgres.js'));
const folder = mkdtempSync(join(tmpdir(), 'agate-retention-'));
const postgres = await startEmbeddedPostgres({ dataDirectory: join(folder, 'postgres'), log: () => undefined });
const service = await startService({ DATABASE_URL: postgres.url, DATABASE_OWNER_URL: postgres.ownerUrl });
const database = new pg.Client({ connectionString: postgres.ownerUrl });
await database.connect();
try {
  const { install_url: page } = JSON.parse(await upload(service, 1000));
  for (const statement of FILL) await database.query(statement);
  const count = async (from) => (await database.query(`SELECT count(*)::int AS n FROM ${from}`)).rows[0].n;
  for (const [label, job, from] of KINDS) {
    const before = await count(from);
    let isDone = false;
    const requests = requestsUntil(() => isDone, service.port, new URL(page).pathname);
    const seconds = await runJob(database, job);
    isDone = true;
    const times = await requests;
    const deleted = before - (await count(from));
    console.log(
      `${label}: ${deleted} of ${before} rows in ${seconds.toFixed(1)} s, ${Math.round(deleted / seconds)} a second; ` +
        `install page at the same time: median ${times[Math.floor(times.length / 2)].toFixed(1)} ms, slowest ${times.at(-1).toFixed(0)} ms`,
    );
  }
} finally {
  await database.end();
  await service.stop();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
