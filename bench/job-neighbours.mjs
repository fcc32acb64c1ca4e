// Measures how jobs that hang delay jobs of the other classes.
// npm run bench job-neighbours
//
// Two services: the store of one and the mail server of the other accept connections and never answer. Measures how long a mail, a
// deletion and a sweep take from their request to their end, first with an empty queue, then while 60 deletions or 40 mails hang.
// Prints the times and their ratios; exits with 1 when a job of another class is delayed by more than two seconds.
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { ensureBuilt } from '../scripts/support/builds.mjs';
import { launchService } from './real-service.mjs';

const DELETIONS = 60;
const MAILS = 40;
const SAMPLES = 20;
const MAX_DELAY_S = 2;
/** Longer than the timeouts of all jobs that hang, so that a job that waits for them is measured and not given up. */
const LIMIT_MS = 180_000;

/**
 * @returns one row per class of jobs: median and maximum in milliseconds, quiet and beside jobs that hang, and the ratio of the medians.
 */
async function measureJobNeighbours() {
  return { ...(await besideSilentStore()), ...(await besideSilentMailServer()) };
}

function besideSilentStore() {
  const environment = (host) => ({
    STORAGE_PROVIDER: 's3',
    S3_ENDPOINT: `http://${host}`,
    S3_REGION: 'eu-central-1',
    S3_BUCKET: 'bench',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
  });
  return withService(environment, async (service, queue) => {
    const folder = join(service.folder, 'mail');
    const sent = () => (existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.eml')).length : 0);
    const mail = async () => {
      const before = sent();
      await signUp(service);
      await until(() => sent() > before);
    };
    const works = { 'mail, the store hangs': mail, 'sweep, the store hangs': () => queue.sweep() };
    return compare(works, () => queue.addDeletions(DELETIONS));
  });
}

function besideSilentMailServer() {
  return withService(
    (host) => ({ MAIL_URL: `smtp://${host}` }),
    (service, queue) => {
      const works = {
        'deletion, the mail server hangs': () => queue.delete(),
        'sweep, the mail server hangs': () => queue.sweep(),
      };
      const hang = async () => {
        for (let n = 0; n < MAILS; n += 1) await signUp(service);
      };
      return compare(works, hang);
    },
  );
}

async function withService(environment, measure) {
  const silent = await startSilentServer();
  const service = await launchService(environment(silent.host));
  const queue = await Queue.of(service);
  try {
    return await measure(service, queue);
  } finally {
    await queue.end();
    await silent.stop();
    await service.stop();
  }
}

async function compare(works, hang) {
  const quiet = await timesOf(works);
  await hang();
  const beside = await timesOf(works);
  return Object.fromEntries(
    Object.keys(works).map((name) => {
      const [before, after] = [quiet[name], beside[name]];
      const row = {
        'quiet median (ms)': median(before),
        'quiet max (ms)': Math.max(...before),
        'hanging median (ms)': median(after),
        'hanging max (ms)': Math.max(...after),
        ratio: median(after) / median(before),
        'longest delay (s)': (Math.max(...after) - median(before)) / 1000,
      };
      return [name, Object.fromEntries(Object.entries(row).map(([key, value]) => [key, Number(value.toFixed(1))]))];
    }),
  );
}

async function timesOf(works) {
  const times = {};
  for (const [name, work] of Object.entries(works)) {
    times[name] = [];
    for (let n = 0; n < SAMPLES; n += 1) {
      const started = performance.now();
      await work();
      times[name].push(performance.now() - started);
    }
  }
  return times;
}

const median = (sample) => sample.toSorted((a, b) => a - b)[Math.floor(sample.length / 2)];

/** The service's job queue, used directly. */
class Queue {
  constructor(client) {
    this.client = client;
  }

  static async of({ folder }) {
    const read = (name) => readFileSync(join(folder, 'postgres', name), 'utf8').trim();
    const client = new pg.Client(`postgres://agate:${read('password')}@127.0.0.1:${read('port')}/agate`);
    await client.connect();
    return new Queue(client);
  }

  async add(task, data) {
    const payload = JSON.stringify({ request_id: 'bench', data });
    const { rows } = await this.client.query(
      'SELECT id FROM graphile_worker.add_job($1, $2::json, max_attempts => 20)',
      [task, payload],
    );
    return rows[0].id;
  }

  async addDeletions(count) {
    for (let n = 0; n < count; n += 1) await this.addDeletion();
  }

  addDeletion() {
    return this.add('storage.delete-blob', { account: 'hosted', key: randomUUID() });
  }

  async delete() {
    await this.untilDone(await this.addDeletion());
  }

  async sweep() {
    await this.untilDone(await this.add('billing.release-expired', {}));
  }

  untilDone(id) {
    return until(async () => {
      const { rowCount } = await this.client.query('SELECT FROM graphile_worker.jobs WHERE id = $1', [id]);
      return rowCount === 0;
    });
  }

  end() {
    return this.client.end();
  }
}

/** Queues a mail. */
async function signUp({ port }) {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/developers`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      email: `${randomBytes(6).toString('hex')}@example.com`,
      password: 'the bench is made of wood',
    }),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
}

async function startSilentServer() {
  const sockets = new Set();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.resume();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { host: `127.0.0.1:${server.address().port}`, stop };
}

async function until(condition) {
  for (const started = performance.now(); performance.now() - started < LIMIT_MS;) {
    if (await condition()) return;
    await sleep(5);
  }
  throw new Error(`A job was not done after ${LIMIT_MS / 1000} s`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await ensureBuilt();
  const rows = await measureJobNeighbours();
  console.table(rows);
  console.log(`Load average ${loadavg()[0].toFixed(1)}; ${SAMPLES} jobs of each kind.`);
  if (Object.values(rows).some((row) => row['longest delay (s)'] > MAX_DELAY_S)) process.exitCode = 1;
}
