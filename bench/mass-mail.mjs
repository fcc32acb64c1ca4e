// Measures how long a promotion with many subscribers takes until its mails are queued, and until the first is sent, with mails in files.
// npm run bench mass-mail [-- seconds [folder of another version, built]]; BENCH_SUBSCRIBERS changes the number.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureBuilt } from '../scripts/support/builds.mjs';
import { root, run } from '../scripts/support/project.mjs';
import { startService } from './real-service.mjs';
import { closeConnections, upload } from './transfer.mjs';

const require = createRequire(import.meta.url);
const SUBSCRIBERS = Number(process.env.BENCH_SUBSCRIBERS ?? 50_000);
const [seconds = '300', other] = process.argv.slice(2);

const FILL = [
  `UPDATE billing_account SET plan = 'business', fee_waived = true`,
  `INSERT INTO tester (id, organization_id, project_id, email, email_key, address_digest, platforms, created_at)
   SELECT uuidv7(), organization_id, project_id, 't' || n || '@example.com', 't' || n || '@example.com',
       sha256(n::text::bytea), '{}', now()
   FROM build, generate_series(1, ${SUBSCRIBERS}) AS n`,
  `INSERT INTO subscription (organization_id, project_id, channel_id, tester_id, created_at)
   SELECT t.organization_id, t.project_id, c.id, t.id, now() FROM tester t, channel c`,
  'ANALYZE',
];
const DUE = `UPDATE graphile_worker._private_jobs SET run_at = now()
  WHERE task_id = (SELECT id FROM graphile_worker._private_tasks WHERE identifier = 'release.announce')`;

/** Promotes a build of a version, and prints what happens until all mails are queued, or the time is over. */
async function measure(folder) {
  const { startEmbeddedPostgres } = require(join(root, 'dist/src/infra/database/embedded/embedded-postgres.js'));
  const data = mkdtempSync(join(tmpdir(), 'agate-mails-'));
  const postgres = await startEmbeddedPostgres({ dataDirectory: join(data, 'postgres'), log: () => undefined });
  const service = await startService(
    {
      DATABASE_URL: postgres.url,
      DATABASE_OWNER_URL: postgres.ownerUrl,
      MAX_MAILS_PER_ORGANIZATION_PER_DAY: '1000000',
    },
    folder,
  );
  const database = new (require('pg').Client)({ connectionString: postgres.ownerUrl });
  try {
    await database.connect();
    const { id: buildId } = JSON.parse(await upload(service, 10_000));
    await database.query(FILL[0]);
    const { id: channelId } = await service.post('/channels', { name: 'Beta' });
    for (const statement of FILL.slice(1)) await database.query(statement);
    const { scope, headers, port } = service;
    const path = `http://127.0.0.1:${port}/api/v1/releases?${scope}&channel_id=${channelId}`;
    const promoted = await fetch(path, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ build_id: buildId }),
    });
    if (!promoted.ok) throw new Error(await promoted.text());
    await report(folder, service, database);
  } finally {
    closeConnections();
    await database.end();
    await service.stop();
    await postgres.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

async function report(folder, service, database) {
  const mails = () => readdirSync(join(service.folder, 'mail')).length;
  const sentBefore = mails();
  const before = await service.usage();
  service.resetPeak();
  await database.query(DUE);
  const started = performance.now();
  const elapsed = () => (performance.now() - started) / 1000;
  let [queued, sent, firstAfter] = [0, 0, null];
  while (queued < SUBSCRIBERS && elapsed() < Number(seconds)) {
    await sleep(50);
    const { rows } = await database.query('SELECT count(queued_at)::int AS queued FROM release_mail');
    queued = rows[0].queued;
    sent = mails() - sentBefore;
    if (sent > 0) firstAfter ??= elapsed();
  }
  const time = elapsed();
  const { peakRss, cpu } = await service.usage();
  const cpuSeconds = (cpu.user + cpu.system - before.cpu.user - before.cpu.system) / 1e6;
  const { rows } = await database.query(
    `SELECT pg_size_pretty(pg_total_relation_size('graphile_worker._private_jobs')) AS queue`,
  );
  console.log(
    `${folder}: ${queued} of ${SUBSCRIBERS} queued after ${time.toFixed(1)} s (${(queued / time).toFixed(0)}/s), ` +
      `first mail after ${firstAfter?.toFixed(1)} s, ${sent} sent, CPU of the process ${cpuSeconds.toFixed(1)} s, ` +
      `memory +${((peakRss - before.rss) / 1e6).toFixed(0)} MB, queue ${rows[0].queue}`,
  );
}

await run(async () => {
  await ensureBuilt();
  for (const folder of other ? [other, root] : [root]) await measure(folder);
});
