// Measures how endpoints that fail delay the webhooks of other organizations.
// npm run bench webhooks [-- samples]
//
// A healthy endpoint of one organization gets an event, and the next one when it has received it: alone, then beside eight webhooks of two
// other organizations, each with 10,000 events behind. `refused` and `silent` endpoints are as a dead host and a dead program; they wait
// between attempts as they do in service. `refused, always due` has no waits. `slow` endpoints accept each event after 10 seconds.
// `alone again` is the control. Prints percentiles and their ratios to the first run; exits with 1 when the 95th percentile of a run
// exceeds one and a half times that of the run alone.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ensureServiceBuilt } from '../scripts/support/builds.mjs';
import { freePort, startService } from './real-service.mjs';

const SAMPLES = Number(process.argv[2] ?? 40);
const ORGANIZATIONS = 2;
const WEBHOOKS = 4;
const EVENTS = 10_000;
const SLOW_MS = 10_000;
const MAX_RATIO = 1.5;
const LIMIT_MS = 180_000;

/** The project whose name is changed for each event. */
let path = '';
let renamed = 0;

await ensureServiceBuilt();
const service = await startService({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', MAX_ORGANIZATIONS_PER_DEVELOPER: '100' });
const database = await connect();
const healthy = await startReceiver();
const slow = await startReceiver(SLOW_MS);
const silent = createTcpServer((socket) => socket.on('error', () => undefined).resume()).listen(0, '127.0.0.1');
await once(silent, 'listening');
try {
  const results = await measure();
  console.log(`${EVENTS} events behind, ${ORGANIZATIONS * WEBHOOKS} failing webhooks, load ${loadavg()[0].toFixed(1)}`);
  console.table(results);
  process.exitCode = Object.values(results).some((row) => row.exceeds === 'yes') ? 1 : 0;
} finally {
  await database.end();
  healthy.server.closeAllConnections();
  slow.server.closeAllConnections();
  for (const { server } of [healthy, slow]) server.close();
  await service.stop();
  silent.close();
}
process.exit();

async function measure() {
  const organization = await createOrganization('Healthy');
  await createWebhook(organization, healthy.url, ['project.updated']);
  const project = await call('POST', `/projects?organization_id=${organization}`, { name: 'Healthy' });
  path = `/projects/${project.id}?organization_id=${organization}`;
  await delays(5);
  const alone = await delays(SAMPLES);
  const refused = `http://127.0.0.1:${await freePort()}/`;
  const kinds = {
    refused: { url: refused },
    'refused, always due': { url: refused, isAlwaysDue: true },
    silent: { url: `http://127.0.0.1:${silent.address().port}/` },
    slow: { url: slow.url },
  };
  const results = { alone: summary(alone, alone) };
  for (const [name, kind] of Object.entries(kinds)) {
    await addNeighbours(kind.url);
    const due = kind.isAlwaysDue ? setInterval(() => void makeDue(), 500) : undefined;
    // The first attempts of a silent endpoint end after 15 seconds. They belong to the measurement.
    results[name] = summary(await delays(SAMPLES), alone);
    clearInterval(due);
    await database.query('DELETE FROM webhook WHERE organization_id <> $1', [organization]);
    await sleep(1_500);
  }
  results['alone again'] = summary(await delays(SAMPLES), alone);
  return results;
}

/** The times from the response to a change until its message arrives, in milliseconds. */
async function delays(count) {
  const times = [];
  for (let n = 0; n < count; n += 1) {
    const before = healthy.received;
    renamed += 1;
    await call('PATCH', path, { name: `Healthy ${renamed}` });
    const started = performance.now();
    while (healthy.received === before) {
      if (performance.now() - started > LIMIT_MS) throw new Error('The healthy endpoint got no message.');
      await sleep(2);
    }
    times.push(performance.now() - started);
  }
  return times;
}

function summary(times, alone) {
  const [half, most, least] = [percentile(times, 0.5), percentile(times, 0.95), percentile(alone, 0.95)];
  return {
    samples: times.length,
    'p50 (ms)': Math.round(half),
    'p95 (ms)': Math.round(most),
    'max (ms)': Math.round(Math.max(...times)),
    'p95 / alone': Number((most / least).toFixed(2)),
    exceeds: most > MAX_RATIO * least ? 'yes' : 'no',
  };
}

function percentile(times, share) {
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1];
}

/** Organizations whose webhooks have events behind that they cannot send. */
async function addNeighbours(url) {
  for (let n = 0; n < ORGANIZATIONS; n += 1) {
    const organization = await createOrganization(`Neighbour ${n}`);
    for (let w = 0; w < WEBHOOKS; w += 1) await createWebhook(organization, url, ['billing.updated']);
    await database.query(
      `INSERT INTO audit_event (id, organization_id, type, actor_kind, request_id, payload, time)
       SELECT gen_random_uuid(), $1, 'billing.updated', 'system', 'bench', jsonb_build_object('count', n), now()
       FROM generate_series(1, ${EVENTS}) AS n`,
      [organization],
    );
  }
}

function makeDue() {
  return database.query(`UPDATE webhook SET next_at = now() WHERE attempt > 0`).catch(() => undefined);
}

async function createOrganization(name) {
  return (await call('POST', '/organizations', { name })).id;
}

function createWebhook(organization, url, types) {
  return call('POST', `/webhooks?organization_id=${organization}`, { name: 'Bench', url, types });
}

async function call(method, path, body) {
  const response = await fetch(`http://127.0.0.1:${service.port}/api/v1${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${service.login}` },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

async function connect() {
  const read = (name) => readFileSync(join(service.folder, 'postgres', name), 'utf8').trim();
  const client = new pg.Client(`postgres://agate:${read('password')}@127.0.0.1:${read('port')}/agate`);
  await client.connect();
  return client;
}

async function startReceiver(waitMs = 0) {
  const receiver = { received: 0 };
  receiver.server = createServer((request, response) => {
    request.resume().once('end', () => {
      receiver.received += 1;
      setTimeout(() => response.writeHead(204).end(), waitMs);
    });
  }).listen(0, '127.0.0.1');
  await once(receiver.server, 'listening');
  receiver.url = `http://127.0.0.1:${receiver.server.address().port}/`;
  return receiver;
}
