// Measures the download of a day with a million audit events (goals: constant memory, first byte under 200 ms), and the cost of hash
// chaining for writers. npm run bench audit-day (BENCH_EVENTS=… changes the size)
// Measures the service's process only. Linux only (/proc).
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { ensureBuilt } from '../scripts/support/builds.mjs';
import { Failure, root, run } from '../scripts/support/project.mjs';

const EVENTS = Number(process.env.BENCH_EVENTS ?? 1_000_000);
const PORT = 24_710;
const DAY = '2026-03-03';
const url = (route) => `http://127.0.0.1:${PORT}/api/v1${route}`;
const residentMb = (pid) => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1000;

async function untilReady(service) {
  for (let waited = 0; waited < 120_000; waited += 200) {
    if (service.exitCode !== null) throw new Failure('The service exited.');
    const ready = await fetch(url('/ready')).then(({ ok }) => ok, () => false); // prettier-ignore
    if (ready) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Failure('The service did not start in time.');
}

async function post(route, body, token) {
  const headers = { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) };
  const response = await fetch(url(route), { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Failure(`${route}: ${await response.text()}`);
  return response.json().catch(() => null);
}

/** Creates a developer and an organization, and fills a day of audit events without triggers, which would take too long. */
async function createEvents(database) {
  const account = { email: 'ann@example.com', password: 'correct horse battery staple' };
  await fetch(url('/developers'), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(account),
  });
  await database.query('UPDATE developer SET email_verified_at = now()');
  const { token } = await post('/login/email', account);
  const { id } = await post('/organizations', { name: 'Acme' }, token);
  await database.query(`SET session_replication_role = replica`);
  await database.query(`SELECT audit_add_partitions('${DAY}', '${DAY}')`);
  await database.query(
    `INSERT INTO audit_event (id, organization_id, type, actor_kind, actor_id, source_ip, request_id, payload, time, position, hash)
     SELECT gen_random_uuid(), $1, 'build.uploaded', 'developer', (SELECT id FROM developer), '203.0.113.7', gen_random_uuid()::text,
       jsonb_build_object('build_id', gen_random_uuid(), 'platform', 'ios', 'version', '1.4.0', 'build_number', n::text, 'size_bytes', n),
       '${DAY}'::timestamptz + interval '86 ms' * (n * 1000000.0 / $2), n, ''
     FROM generate_series(0, $2::int - 1) AS n`,
    [id, EVENTS],
  );
  await database.query('RESET session_replication_role');
  await database.query('ANALYZE audit_event');
  return { token, organization: id };
}

/** Downloads the day. @returns milliseconds until the first byte, the number of bytes, the peak memory and the duration. */
function read(service, { token, organization }, query = '') {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    let first;
    let bytes = 0;
    let tail = '';
    let peak = residentMb(service.pid);
    const timer = setInterval(() => (peak = Math.max(peak, residentMb(service.pid))), 20);
    const headers = { Authorization: `Bearer ${token}` };
    http
      .get(url(`/audit/organization/${organization}?day=${DAY}${query}`), { headers, agent: false }, (response) => {
        response.on('data', (chunk) => {
          first ??= performance.now() - started;
          bytes += chunk.length;
          tail = chunk.toString().slice(-80);
        });
        response.on('close', () => {
          clearInterval(timer);
          if (response.statusCode !== 200 || !response.complete)
            return reject(new Failure(`The download failed with ${response.statusCode}: ${tail}`));
          resolve({ first, bytes, peak, seconds: (performance.now() - started) / 1000 });
        });
      })
      .on('error', reject);
  });
}

/** The transactions per second of 16 writers that insert one event each. @param owner returns a writer's organization. */
async function writes(databaseUrl, { chained, owner }, seconds = 5) {
  const columns = 'id, organization_id, type, actor_kind, request_id, payload, time, position, hash';
  const insert = `INSERT INTO audit_event (${columns})
    VALUES (gen_random_uuid(), $1, 'build.uploaded', 'system', 'bench', '{"version": "1.4.0"}', now(), 1, '')`;
  const until = performance.now() + seconds * 1000;
  const counts = await Promise.all(
    Array.from({ length: 16 }, async (_, writer) => {
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      if (!chained) await client.query('SET session_replication_role = replica');
      let count = 0;
      for (; performance.now() < until; count += 1) await client.query(insert, [owner(writer)]);
      await client.end();
      return count;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0) / seconds;
}

async function measureWriting(databaseUrl) {
  const [single, many] = [randomUUID(), Array.from({ length: 16 }, () => randomUUID())];
  const row = async (name, options) =>
    console.log(`${name.padEnd(40)}${(await writes(databaseUrl, options)).toFixed(0).padStart(7)} /s`);
  await row('events without chaining', { chained: false, owner: () => single });
  await row('chained, 16 organizations', { chained: true, owner: (writer) => many[writer] });
  await row('chained, one organization', { chained: true, owner: () => single });
}

async function measureReading(service, reader) {
  await read(service, reader, '&type=build.deleted');
  const idle = residentMb(service.pid);
  console.log(`A day of ${EVENTS} events:`);
  for (let round = 1; round <= 3; round += 1) {
    const { first, bytes, peak, seconds } = await read(service, reader);
    console.log(
      `first byte ${first.toFixed(0)} ms   ${(bytes / 1e6).toFixed(0)} MB in ${seconds.toFixed(1)} s   ` +
        `memory ${idle.toFixed(0)} MB before, peak ${peak.toFixed(0)} MB`,
    );
  }
}

await run(async () => {
  await ensureBuilt();
  const { startEmbeddedPostgres } = await import('../dist/src/infra/database/embedded/embedded-postgres.js');
  const data = mkdtempSync(path.join(tmpdir(), 'agate-audit-'));
  chmodSync(data, 0o711);
  const postgres = await startEmbeddedPostgres({ dataDirectory: path.join(data, 'postgres'), log: () => undefined });
  const service = spawn(process.execPath, ['dist/src/main.js'], {
    cwd: root,
    env: {
      ...process.env,
      NODE_ENV: 'development',
      PORT: String(PORT),
      DATA_DIR: data,
      DATABASE_URL: postgres.url,
      DATABASE_OWNER_URL: postgres.ownerUrl,
      LOG_LEVEL: 'error',
      RATE_LIMIT_FACTOR: '0',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise((resolve) => service.once('exit', resolve));
  try {
    await untilReady(service);
    const database = new pg.Client({ connectionString: postgres.ownerUrl });
    await database.connect();
    const reader = await createEvents(database);
    await database.end();
    await measureReading(service, reader);
    await measureWriting(postgres.ownerUrl);
  } finally {
    service.kill('SIGTERM');
    await ended;
    await postgres.stop();
    rmSync(data, { recursive: true, force: true });
  }
});
