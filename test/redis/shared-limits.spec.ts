import { setTimeout as sleep } from 'node:timers/promises';
import { type Developer, randomEmail } from '../support/actors/actors';
import { TestApp } from '../support/app/test-app';
import { rawRequest } from '../support/load/raw-http';
import { until } from '../support/until';
import { RedisServer } from './redis-server';

/** A tenth of every limit: 60 reads, 12 writes and 3 logins a minute. */
const RATE_LIMIT_FACTOR = '0.1';
const READS = 60;
const LOGINS = 3;

describe('the rate limit of two processes that share a Redis', () => {
  let redis: RedisServer;
  let one: TestApp;
  let two: TestApp;
  /** Developers sign up here, because sign-ups are limited, too. */
  let unlimited: TestApp;
  beforeAll(async () => {
    redis = await RedisServer.start();
    const environment = { RATE_LIMIT_FACTOR, REDIS_URL: redis.url, TRUST_PROXY: '127.0.0.1' };
    one = await TestApp.start({ environment });
    two = await TestApp.start({ environment, beside: one, worker: false });
    unlimited = await TestApp.start({ beside: one, worker: false });
  });
  afterAll(async () => {
    for (const app of [unlimited, two, one]) await app.stop();
    await redis.kill();
  });

  let addresses = 0;
  /** Sends reads of one developer from a new address, half of them to each process. */
  const reads = async (ann: Developer, count: number): Promise<number[]> => {
    const headers = { Authorization: `Bearer ${ann.token}`, 'X-Forwarded-For': `203.0.113.${(addresses += 1)}` };
    const responses = await Promise.all(
      Array.from({ length: count }, (_, n) =>
        rawRequest(`${(n % 2 ? one : two).url}/api/v1/organizations`, { headers }),
      ),
    );
    return responses.map(({ status }) => status);
  };
  const admitted = (statuses: readonly number[]): number => statuses.filter((status) => status === 200).length;
  const logged = (text: string): number => one.logLines.filter((line) => line.includes(text)).length;

  // red when: RateLimitModule does not create a RedisStorage, so that each process counts in its own memory (120 are
  // accepted then)
  it('is exact under parallel requests', async () => {
    const statuses = await reads(await unlimited.developer(), 3 * READS);
    expect(admitted(statuses)).toBe(READS);
    expect(statuses.filter((status) => status === 429)).toHaveLength(2 * READS);
  });

  // red when: the key of RouteLimitGuard contains the method or the path, the prefix of RedisStorage differs between processes,
  // or clientNetwork returns a whole IPv6 address
  it('is shared by HEAD, a trailing slash and all addresses of a /64', async () => {
    const { token } = await unlimited.developer();
    const variants = await Promise.all(
      Array.from({ length: 3 * READS }, (_, n) =>
        rawRequest(`${(n % 2 ? one : two).url}/api/v1/organizations${n % 3 ? '/' : ''}`, {
          method: n % 5 ? 'GET' : 'HEAD',
          headers: { Authorization: `Bearer ${token}`, 'X-Forwarded-For': `192.0.2.${n}` },
        }),
      ),
    );
    expect(admitted(variants.map(({ status }) => status))).toBe(READS);

    const logins = await Promise.all(
      Array.from({ length: 4 * LOGINS }, (_, n) =>
        rawRequest(`${(n % 2 ? one : two).url}/api/v1/login/email`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': `192.0.2.${n}, 2001:db8:0:9:${n}::${n}` },
          body: JSON.stringify({ email: randomEmail(), password: 'not the pass phrase' }),
        }),
      ),
    );
    expect(logins.filter(({ status }) => status === 401)).toHaveLength(LOGINS);
    expect(logins.filter(({ status }) => status === 429)).toHaveLength(3 * LOGINS);
  });

  it('is counted per process without Redis, and shared again when Redis is available', async () => {
    const ann = await unlimited.developer();
    const during = reads(ann, 3 * READS);
    await redis.kill();
    // The counts in Redis are lost with it; every response must still be 200 or 429.
    expect((await during).filter((status) => status !== 200 && status !== 429)).toEqual([]);

    const bob = await unlimited.developer();
    expect(admitted(await reads(bob, 4 * READS))).toBe(2 * READS);
    expect(logged('Redis is unavailable')).toBe(1);

    await redis.start();
    await until(() => logged('Redis is available again') !== 0);
    await sleep(1_500);
    expect(admitted(await reads(await unlimited.developer(), 3 * READS))).toBe(READS);
  });
});
