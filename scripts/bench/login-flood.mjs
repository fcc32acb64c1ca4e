// Does a flood of logins stall everybody else (reliability L3)?  npm run bench:login-flood [-- --seconds 20 --rounds 3]
//
// Against the built service (npm run build) with bcrypt at production cost and no other limit: somebody lists builds, somebody
// uploads 5 MB again and again, and /live is asked every 50 ms; in turns, quiet and beside 50 clients that log in as fast as they
// are answered (after a 429 each waits 200 ms, a tenth of what it was told). Prints both and their ratios; asserts nothing: read the
// ratios on a quiet machine. Goals: lists p99 < 250 ms, uploads less than twice as slow, /live < 100 ms.
import { randomBytes } from 'node:crypto';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startService } from './real-service.mjs';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '20' }, rounds: { type: 'string', default: '3' } },
});
const SECONDS = Number(values.seconds);
const ROUNDS = Number(values.rounds);
const CLIENTS = 50;
const ARTIFACT = randomBytes(5_000_000);

const service = await startService();
const origin = `http://127.0.0.1:${service.port}`;

/** Asks again and again until `until`; milliseconds of each answer. */
async function repeatedly(until, ask, pauseMs = 0) {
  const times = [];
  while (Date.now() < until) {
    const started = performance.now();
    const response = await ask();
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
    times.push(performance.now() - started);
    if (pauseMs > 0) await sleep(pauseMs);
  }
  return times;
}

function upload() {
  const form = new FormData();
  form.set('file', new Blob([ARTIFACT]), 'Bench.dmg');
  for (const [name, value] of Object.entries({ platform: 'macos', version: '1' })) form.set(name, value);
  return fetch(origin + service.uploadPath, { method: 'POST', headers: service.headers, body: form });
}

async function logsIn(until, answers) {
  while (Date.now() < until) {
    const email = `${randomBytes(6).toString('hex')}@example.com`;
    const response = await fetch(`${origin}/api/v1/login/email`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, password: 'not the pass phrase' }),
    });
    await response.arrayBuffer();
    answers[response.status] = (answers[response.status] ?? 0) + 1;
    if (response.status === 429) await sleep(200);
  }
}

async function phase(clients, answers) {
  const until = Date.now() + SECONDS * 1000;
  const flood = Promise.all(Array.from({ length: clients }, () => logsIn(until, answers)));
  const [lists, uploads, lives] = await Promise.all([
    repeatedly(until, () => fetch(origin + service.uploadPath, { headers: service.headers }), 10),
    repeatedly(until, upload),
    repeatedly(until, () => fetch(`${origin}/api/v1/live`), 50),
  ]);
  await flood;
  return { lists, uploads, lives };
}

const quantile = (times, q) =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * q))];

try {
  const answers = {};
  const all = { quiet: { lists: [], uploads: [], lives: [] }, flood: { lists: [], uploads: [], lives: [] } };
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const [name, clients] of [
      ['quiet', 0],
      ['flood', CLIENTS],
    ]) {
      for (const [what, times] of Object.entries(await phase(clients, answers))) all[name][what].push(...times);
    }
  }
  const row = (what, q) => {
    const [quiet, flood] = [quantile(all.quiet[what], q), quantile(all.flood[what], q)];
    return { quiet: quiet.toFixed(1), flood: flood.toFixed(1), ratio: (flood / quiet).toFixed(2) };
  };
  console.table({
    'list, median (ms)': row('lists', 0.5),
    'list, p99 (ms)': row('lists', 0.99),
    'upload of 5 MB, median (ms)': row('uploads', 0.5),
    '/live, p99 (ms)': row('lives', 0.99),
  });
  const perSecond = (status) => ((answers[status] ?? 0) / SECONDS / ROUNDS).toFixed(1);
  console.log(
    `${CLIENTS} clients: ${perSecond(401)} logins/s refused after their hash, ${perSecond(429)}/s answered 429; other statuses: ` +
      `${JSON.stringify(Object.fromEntries(Object.entries(answers).filter(([status]) => !['401', '429'].includes(status))))}`,
  );
  console.log(`Load average ${loadavg()[0].toFixed(1)}; ${ROUNDS} rounds of ${SECONDS} s each, in turns.`);
} finally {
  await service.stop();
}
