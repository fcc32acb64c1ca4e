// Measures how long an owner waits for a login while another network guesses passwords.
// npm run bench login-flood -- --fairness [--logins 10]
//
// With bcrypt at production cost and the default limits. Ten guesses a second come from twenty /64 networks of one /48, for the owner's
// address and for unknown ones. The owner logs in from another network, without a device cookie. Goal: every login succeeds within 3 s.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService } from './real-service.mjs';

const GUESSES_PER_SECOND = 10;
const NETWORKS = 20;
const GOAL_MS = 3_000;
/** Every other guess is for the owner's address. */
const OWNER = { email: 'bench@example.com', password: 'the bench is made of wood' };

/** @returns the owner's times in milliseconds, the responses to the guesses by status, and whether the goal was reached. */
export async function measureLoginFairness(logins = 10) {
  const service = await startService({ RATE_LIMIT_FACTOR: '1', TRUST_PROXY: '127.0.0.1' });
  const origin = `http://127.0.0.1:${service.port}`;
  const logIn = async (address, body) => {
    const started = performance.now();
    const response = await fetch(`${origin}/api/v1/login/email`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': address },
      body: JSON.stringify(body),
    });
    await response.arrayBuffer();
    return { status: response.status, ms: performance.now() - started };
  };
  const ownerLogsIn = async () => {
    const results = [];
    for (let n = 0; n < logins; n += 1) {
      results.push(await logIn('203.0.113.7', OWNER));
      await sleep(500);
    }
    return results;
  };
  try {
    const quiet = await ownerLogsIn();
    const guesses = {};
    const pending = new Set();
    let n = 0;
    const flood = setInterval(() => {
      n += 1;
      const email = n % 2 === 0 ? OWNER.email : `${randomBytes(6).toString('hex')}@example.com`;
      const guess = logIn(`2001:db8:7:${(n % NETWORKS) + 1}::1`, { email, password: 'not the pass phrase' })
        .then(({ status }) => (guesses[status] = (guesses[status] ?? 0) + 1))
        .finally(() => pending.delete(guess));
      pending.add(guess);
    }, 1000 / GUESSES_PER_SECOND);
    await sleep(3_000);
    const flooded = await ownerLogsIn();
    clearInterval(flood);
    await Promise.all(pending);
    const isReached = flooded.every(({ status, ms }) => status === 200 && ms < GOAL_MS);
    return { quiet, flooded, guesses, isReached };
  } finally {
    await service.stop();
  }
}

/** Prints the measurement. @returns whether the goal was reached. */
export async function reportLoginFairness(logins) {
  const { quiet, flooded, guesses, isReached } = await measureLoginFairness(logins);
  const times = (results) => results.map(({ ms }) => ms).sort((a, b) => a - b);
  const median = (results) => times(results)[Math.floor(results.length / 2)];
  const worst = (results) => times(results).at(-1);
  const row = (of) => ({
    quiet: of(quiet).toFixed(0),
    flood: of(flooded).toFixed(0),
    ratio: (of(flooded) / of(quiet)).toFixed(2),
  });
  console.table({ "owner's login, median (ms)": row(median), "owner's login, worst (ms)": row(worst) });
  const succeeded = flooded.filter(({ status }) => status === 200).length;
  console.log(
    `${succeeded} of ${flooded.length} logins succeeded. Responses to the guesses: ${JSON.stringify(guesses)}.`,
  );
  console.log(`Goal, every login within ${GOAL_MS / 1000} s: ${isReached ? 'reached' : 'MISSED'}.`);
  return isReached;
}
