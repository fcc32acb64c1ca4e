// Tests whether response times reveal that an e-mail address is registered.
// npm run bench login-timing [-- --pairs 200], on a quiet machine
//
// Sends pairs of requests, one with a known and one with an unknown e-mail address, in random order, with bcrypt at production cost. The
// slowest tenth of each side is dropped. A route passes when Welch's |t| < 4.5 and the medians differ by less than max(2 ms, 5 %). Two
// checks of the method: a control compares one side with itself by the same rules (a failure means that the machine is too noisy), and a
// sabotaged service that does not hash for an unknown address must be detected with |t| > 20.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../scripts/support/builds.mjs';

const { values } = parseArgs({ options: { pairs: { type: 'string', default: '200' } } });
const PAIRS = Number(values.pairs);
const WARM_UP = 10;

async function freePort() {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address();
  await once(server.close(), 'close');
  return port;
}

/** Runs the modules of the service, which the sabotage changes, and not the bundle of them. */
const PROGRAM = "require('./dist/src/app/start/program.js').run()";

async function startService(...nodeOptions) {
  const directory = mkdtempSync(join(tmpdir(), 'agate-timing-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [...nodeOptions, '-e', PROGRAM], {
    // Development has the hash cost of production, and permits RATE_LIMIT_FACTOR=0.
    env: {
      ...process.env,
      NODE_ENV: 'development',
      PORT: String(port),
      DATA_DIR: directory,
      RATE_LIMIT_FACTOR: '0',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = once(child, 'exit');
  for (;;) {
    if (child.exitCode !== null) throw new Error('The service did not start.');
    const ready = await fetch(`${url}/api/v1/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) break;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
    rmSync(directory, { recursive: true, force: true });
  };
  return { url, stop };
}

async function post(url, body, expectedStatus) {
  const started = performance.now();
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  const elapsed = performance.now() - started;
  if (response.status !== expectedStatus)
    throw new Error(`${url} responded ${response.status} instead of ${expectedStatus}`);
  return elapsed;
}

/** Addresses of one length, so that they differ only in whether they are registered. */
const newEmail = () => `ann.${randomBytes(6).toString('hex')}@example.com`;

/** The durations of `left` and `right` in milliseconds, each called once per round, in random order. */
async function measure(left, right) {
  const times = { left: [], right: [] };
  for (let round = -WARM_UP; round < PAIRS; round += 1) {
    const order = randomBytes(1)[0] % 2 ? ['left', 'right'] : ['right', 'left'];
    for (const side of order) {
      const elapsed = await (side === 'left' ? left : right)();
      if (round >= 0) times[side].push(elapsed);
    }
  }
  return times;
}

function statistics(sample) {
  const kept = sample.toSorted((a, b) => a - b).slice(0, Math.ceil(sample.length * 0.9));
  const mean = kept.reduce((sum, value) => sum + value, 0) / kept.length;
  const variance = kept.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (kept.length - 1);
  return { mean, error: variance / kept.length, median: kept[Math.floor(kept.length / 2)] };
}

function judge(name, times) {
  const left = statistics(times.left);
  const right = statistics(times.right);
  const t = (left.mean - right.mean) / Math.sqrt(left.error + right.error);
  const difference = Math.abs(left.median - right.median);
  const same = Math.abs(t) < 4.5 && difference < Math.max(2, 0.05 * left.median);
  const medians = `${left.median.toFixed(1)} and ${right.median.toFixed(1)} ms`;
  console.log(
    `${name}: medians ${medians}, difference ${difference.toFixed(2)} ms, t = ${t.toFixed(2)}: ${same ? 'equal' : 'DIFFERENT'}`,
  );
  return { same, t };
}

/** Runs `work` with the routes of a new service and a registered e-mail address. */
async function withService(nodeOptions, work) {
  const service = await startService(...nodeOptions);
  try {
    const known = newEmail();
    const route = (path, expectedStatus, more) => (email) =>
      post(`${service.url}/api/v1${path}`, { ...more, email: email ?? newEmail() }, expectedStatus);
    await route('/developers', 202, { password: 'a long enough pass phrase' })(known);
    return await work({
      known,
      login: route('/login/email', 401, { password: 'not the pass phrase' }),
      resend: route('/developers/resend-verification', 204),
      reset: route('/developers/reset_password_request', 204),
    });
  } finally {
    await service.stop();
  }
}

const compare = async (name, left, right) => judge(name, await measure(left, right));

await ensureBuilt();
const fair = await withService([], async ({ known, ...routes }) => {
  const results = { control: [], tested: [] };
  for (const [name, send] of Object.entries(routes)) {
    const sendKnown = () => send(known);
    results.control.push(await compare(`${name}, known/known`, sendKnown, sendKnown));
    results.tested.push(await compare(`${name}, known/unknown`, sendKnown, () => send()));
  }
  return results;
});
const sabotage = fileURLToPath(new URL('no-dummy-hash.cjs', import.meta.url));
const leak = await withService(['--require', sabotage], ({ known, login }) =>
  compare(
    'sabotaged login, known/unknown',
    () => login(known),
    () => login(),
  ),
);

const quiet = fair.control.every(({ same }) => same);
const detected = Math.abs(leak.t) > 20;
console.log(`Load average ${loadavg()[0].toFixed(1)}; ${PAIRS} pairs.`);
if (!quiet) console.log('A control failed: this machine is too noisy. Repeat on a quiet machine.');
if (!detected) console.log('The sabotage was not detected: the result is not valid.');
process.exitCode = quiet && detected && fair.tested.every(({ same }) => same) ? 0 : 1;
