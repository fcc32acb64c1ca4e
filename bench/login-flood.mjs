// Measures how a flood of logins slows down other requests.
// npm run bench login-flood [-- --seconds 20 --rounds 3], or -- --fairness [--logins 10] for the measurement of login-fairness.mjs
//
// With bcrypt at production cost and without rate limits. One client lists builds, one uploads 5 MB repeatedly, and one requests /live
// every 50 ms; in alternating rounds without and with 50 clients in another process that log in continuously (each waits 200 ms after a
// 429, a tenth of its Retry-After). Prints the times and their ratios, without a pass or fail: read the ratios on a quiet machine.
// Goals: lists p99 < 250 ms, uploads less than twice as slow, /live < 100 ms.
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../scripts/support/builds.mjs';
import { reportLoginFairness } from './login-fairness.mjs';
import { startService } from './real-service.mjs';

const CLIENTS = 50;
const FLOOD = '--flood';

if (process.argv[2] === FLOOD) await flood(process.argv[3], Number(process.argv[4]));
else await bench();

/** Runs in the process of the logins. Sends the number of responses of each status to the parent. */
async function flood(origin, until) {
  const responses = {};
  const client = async () => {
    while (Date.now() < until) {
      const email = `${randomBytes(6).toString('hex')}@example.com`;
      const response = await fetch(`${origin}/api/v1/login/email`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ email, password: 'not the pass phrase' }),
      });
      await response.arrayBuffer();
      responses[response.status] = (responses[response.status] ?? 0) + 1;
      if (response.status === 429) await sleep(200);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  process.send(responses);
}

async function bench() {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '20' },
      rounds: { type: 'string', default: '3' },
      fairness: { type: 'boolean', default: false },
      logins: { type: 'string', default: '10' },
    },
  });
  const [seconds, rounds] = [Number(values.seconds), Number(values.rounds)];
  await ensureBuilt();
  if (values.fairness) {
    if (!(await reportLoginFairness(Number(values.logins)))) process.exitCode = 1;
    return;
  }
  const service = await startService();
  try {
    report(await measure(service, seconds, rounds), seconds * rounds);
    console.log(`Load average ${loadavg()[0].toFixed(1)}; ${rounds} rounds of ${seconds} s each, alternating.`);
  } finally {
    await service.stop();
  }
}

async function measure(service, seconds, rounds) {
  const origin = `http://127.0.0.1:${service.port}`;
  const responses = {};
  const times = { quiet: { lists: [], uploads: [], lives: [] }, flood: { lists: [], uploads: [], lives: [] } };
  for (let round = 1; round <= rounds; round += 1) {
    for (const name of ['quiet', 'flood']) {
      const until = Date.now() + seconds * 1000;
      const clients = name === 'flood' ? fork(process.argv[1], [FLOOD, origin, String(until)]) : undefined;
      const counted = clients && once(clients, 'message');
      for (const [kind, sample] of Object.entries(await otherRequests(service, origin, until)))
        times[name][kind].push(...sample);
      for (const [status, count] of Object.entries((await counted)?.[0] ?? {}))
        responses[status] = (responses[status] ?? 0) + count;
    }
  }
  return { times, responses };
}

/** The durations of the other requests, in milliseconds. */
async function otherRequests(service, origin, until) {
  const { headers, uploadPath } = service;
  const [lists, uploads, lives] = await Promise.all([
    repeatedly(until, () => fetch(origin + uploadPath, { headers }), 10),
    repeatedly(until, () => fetch(origin + uploadPath, { method: 'POST', headers, body: artifact() })),
    repeatedly(until, () => fetch(`${origin}/api/v1/live`), 50),
  ]);
  return { lists, uploads, lives };
}

/** Repeats a request. @returns the durations in milliseconds. */
async function repeatedly(until, send, pauseMs = 0) {
  const times = [];
  while (Date.now() < until) {
    const started = performance.now();
    const response = await send();
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

function report({ times, responses }, seconds) {
  const quantile = (sample, q) =>
    sample.toSorted((a, b) => a - b)[Math.min(sample.length - 1, Math.floor(sample.length * q))];
  const row = (kind, q) => {
    const [quiet, flooded] = [quantile(times.quiet[kind], q), quantile(times.flood[kind], q)];
    return { quiet: quiet.toFixed(1), flood: flooded.toFixed(1), ratio: (flooded / quiet).toFixed(2) };
  };
  console.table({
    'list, median (ms)': row('lists', 0.5),
    'list, p99 (ms)': row('lists', 0.99),
    'upload of 5 MB, median (ms)': row('uploads', 0.5),
    '/live, p99 (ms)': row('lives', 0.99),
  });
  const perSecond = Object.entries(responses).map(
    ([status, count]) => `${(count / seconds).toFixed(1)} responses ${status} per second`,
  );
  console.log(`${CLIENTS} clients logging in: ${perSecond.join(', ')}.`);
}
