// Does a flood of logins stall everybody else (reliability L3)?  npm run bench:login-flood [-- --seconds 20 --rounds 3]
//
// Against the built service (npm run build) with bcrypt at production cost and no other limit: somebody lists builds, somebody
// uploads 5 MB again and again, and /live is asked every 50 ms; in turns, quiet and beside 50 clients, in a process of their own,
// that log in as fast as they are answered (after a 429 each waits 200 ms, a tenth of what it was told). Prints both and their ratios;
// asserts nothing: read the ratios on a quiet machine. Goals: lists p99 < 250 ms, uploads less than twice as slow, /live < 100 ms.
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startService } from './real-service.mjs';

const CLIENTS = 50;
const FLOOD = '--flood';

if (process.argv[2] === FLOOD) await flood(process.argv[3], Number(process.argv[4]));
else await bench();

/** In the process of the clients: tells its parent how often each status was answered. */
async function flood(origin, until) {
  const answers = {};
  const client = async () => {
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
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  process.send(answers);
}

async function bench() {
  const { values } = parseArgs({
    options: { seconds: { type: 'string', default: '20' }, rounds: { type: 'string', default: '3' } },
  });
  const [seconds, rounds] = [Number(values.seconds), Number(values.rounds)];
  const service = await startService();
  try {
    report(await measure(service, seconds, rounds), seconds * rounds);
    console.log(`Load average ${loadavg()[0].toFixed(1)}; ${rounds} rounds of ${seconds} s each, in turns.`);
  } finally {
    await service.stop();
  }
}

async function measure(service, seconds, rounds) {
  const origin = `http://127.0.0.1:${service.port}`;
  const answers = {};
  const times = { quiet: { lists: [], uploads: [], lives: [] }, flood: { lists: [], uploads: [], lives: [] } };
  for (let round = 1; round <= rounds; round += 1) {
    for (const name of ['quiet', 'flood']) {
      const until = Date.now() + seconds * 1000;
      const clients = name === 'flood' ? fork(process.argv[1], [FLOOD, origin, String(until)]) : undefined;
      const counted = clients && once(clients, 'message');
      for (const [what, some] of Object.entries(await everybodyElse(service, origin, until)))
        times[name][what].push(...some);
      for (const [status, count] of Object.entries((await counted)?.[0] ?? {}))
        answers[status] = (answers[status] ?? 0) + count;
    }
  }
  return { times, answers };
}

/** Milliseconds of what others do meanwhile. */
async function everybodyElse(service, origin, until) {
  const { headers, uploadPath } = service;
  const [lists, uploads, lives] = await Promise.all([
    repeatedly(until, () => fetch(origin + uploadPath, { headers }), 10),
    repeatedly(until, () => fetch(origin + uploadPath, { method: 'POST', headers, body: artifact() })),
    repeatedly(until, () => fetch(`${origin}/api/v1/live`), 50),
  ]);
  return { lists, uploads, lives };
}

/** Asks again and again; milliseconds of each answer. */
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

function artifact() {
  const form = new FormData();
  form.set('file', new Blob([randomBytes(5_000_000)]), 'Bench.dmg');
  form.set('platform', 'macos');
  form.set('version', '1');
  return form;
}

function report({ times, answers }, seconds) {
  const quantile = (some, q) => some.toSorted((a, b) => a - b)[Math.min(some.length - 1, Math.floor(some.length * q))];
  const row = (what, q) => {
    const [quiet, flooded] = [quantile(times.quiet[what], q), quantile(times.flood[what], q)];
    return { quiet: quiet.toFixed(1), flood: flooded.toFixed(1), ratio: (flooded / quiet).toFixed(2) };
  };
  console.table({
    'list, median (ms)': row('lists', 0.5),
    'list, p99 (ms)': row('lists', 0.99),
    'upload of 5 MB, median (ms)': row('uploads', 0.5),
    '/live, p99 (ms)': row('lives', 0.99),
  });
  const perSecond = Object.entries(answers).map(
    ([status, count]) => `${(count / seconds).toFixed(1)}/s answered ${status}`,
  );
  console.log(`${CLIENTS} clients that log in: ${perSecond.join(', ')}.`);
}
