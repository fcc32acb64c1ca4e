// Does the time of a refused login say whether the e-mail is known (reliability D2)?  npm run bench:timing
//
// Against the built service (npm run build) with bcrypt at production cost: pairs of wrong logins, one for a known e-mail
// and one for an unknown one, interleaved in random order; the slowest tenth of each side is dropped; Welch's t. Passes
// when |t| < 4.5 and the medians differ by less than max(2 ms, 5 %). The control measures one side against itself, by the
// same rules: when it fails, the machine is too noisy to say anything. Not part of `npm test`: run it on a quiet machine.
//
// To see that it can fail, take the dummy hash away: in dist/src/platform/crypto/passwords.js have `matches` return false
// at once when `hash` is null. |t| must then exceed 20 (start with --expect-leak, which turns the verdict round).
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { pairs: { type: 'string', default: '200' }, 'expect-leak': { type: 'boolean', default: false } },
});
const PAIRS = Number(values.pairs);
const WARM_UP = 10;

async function freePort() {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address();
  await once(server.close(), 'close');
  return port;
}

async function startService() {
  const directory = mkdtempSync(join(tmpdir(), 'agate-timing-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, ['dist/src/main.js'], {
    // Development hashes at the cost of production, and may switch the limits off.
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
    if (child.exitCode !== null) throw new Error('The service did not start. Built? npm run build');
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

async function post(url, body, wanted) {
  const started = performance.now();
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  const elapsed = performance.now() - started;
  if (response.status !== wanted) throw new Error(`${url} answered ${response.status} instead of ${wanted}`);
  return elapsed;
}

/** Names of one length: what differs is only whether somebody has it. */
const newEmail = () => `ann.${randomBytes(6).toString('hex')}@example.com`;

/** Milliseconds of `left` and `right`, each asked once per round, in random order. */
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
  const apart = Math.abs(left.median - right.median);
  const same = Math.abs(t) < 4.5 && apart < Math.max(2, 0.05 * left.median);
  const medians = `${left.median.toFixed(1)} and ${right.median.toFixed(1)} ms`;
  console.log(
    `${name}: medians ${medians}, apart ${apart.toFixed(2)} ms, t = ${t.toFixed(2)}: ${same ? 'the same' : 'DIFFERENT'}`,
  );
  return { same, t };
}

const service = await startService();
try {
  const known = newEmail();
  await post(`${service.url}/api/v1/developers`, { email: known, password: 'a long enough pass phrase' }, 202);
  const login = (email) => post(`${service.url}/api/v1/login/email`, { email, password: 'not the pass phrase' }, 401);
  const control = judge(
    'control, known/known  ',
    await measure(
      () => login(known),
      () => login(known),
    ),
  );
  const tested = judge(
    'tested, known/unknown ',
    await measure(
      () => login(known),
      () => login(newEmail()),
    ),
  );
  const passed = control.same && (values['expect-leak'] ? Math.abs(tested.t) > 20 : tested.same);
  if (!control.same) console.log('The control failed: this machine is too noisy. Try again on a quiet one.');
  process.exitCode = passed ? 0 : 1;
} finally {
  await service.stop();
}
