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

  const logged = ({ logLines }: TestApp, text: string): number => logLines.filter((line) => line.includes(text)).length;
  /** The number of times that each process lost Redis and found it again. It is odd while the process counts in its memory. */
  const changes = (): number[] =>
    [one, two].map((app) => logged(app, 'Redis is unavailable') + logged(app, 'Redis is available again'));
  const areShared = (): boolean => changes().every((count) => count % 2 === 0);
  /**
   * Repeats the work until both processes could count in Redis throughout. A process that gets no response within 250 ms, as on a machine
   * that pauses, counts in its memory for a second.
   */
  const whileShared = async <T>(work: () => Promise<T>): Promise<T> => {
    for (;;) {
      const before = changes();
      const wereShared = areShared();
      const result = await work();
      if (wereShared && String(changes()) === String(before)) return result;
    }
  };
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

  // red when: RateLimitModule does not create a RedisStorage, so that each process counts in its own memory (120 are
  // accepted then)
  it('is exact under parallel requests', async () => {
    const statuses = await whileShared(async () => reads(await unlimited.developer(), 3 * READS));
    expect(admitted(statuses)).toBe(READS);
    expect(statuses.filter((status) => status === 429)).toHaveLength(2 * READS);
  });

  // red when: the key of RouteLimitGuard contains the method or the path, the prefix of RedisStorage differs between processes,
  // or clientNetwork returns a whole IPv6 address
  it('is shared by HEAD, a trailing slash and all addresses of a /64', async () => {
    const variants = await whileShared(async () => {
      const { token } = await unlimited.developer();
      return Promise.all(
        Array.from({ length: 3 * READS }, (_, n) =>
          rawRequest(`${(n % 2 ? one : two).url}/api/v1/organizations${n % 3 ? '/' : ''}`, {
            method: n % 5 ? 'GET' : 'HEAD',
            headers: { Authorization: `Bearer ${token}`, 'X-Forwarded-For': `192.0.2.${n}` },
          }),
        ),
      );
    });
    expect(admitted(variants.map(({ status }) => status))).toBe(READS);

    const logins = await whileShared(() => {
      const network = `2001:db8:${(addresses += 1)}:9`;
      return Promise.all(
        Array.from({ length: 4 * LOGINS }, (_, n) =>
          rawRequest(`${(n % 2 ? one : two).url}/api/v1/login/email`, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': `192.0.2.${n}, ${network}:${n}::${n}` },
            body: JSON.stringify({ email: randomEmail(), password: 'not the pass phrase' }),
          }),
        ),
      );
    });
    expect(logins.filter(({ status }) => status === 401)).toHaveLength(LOGINS);
    expect(logins.filter(({ status }) => status === 429)).toHaveLength(3 * LOGINS);
  });

  it('is counted per process without Redis, and shared again when Redis is available', async () => {
    const ann = await unlimited.developer();
    const during = reads(ann, 3 * READS);
    await redis.kill();
    // The counts in Redis are lost with it; every response must still be 200 or 429.
    expect((await during).filter((status) => status !== 200 && status !== 429)).toEqual([]);

    await until(() => changes().every((count) => count % 2 === 1));
    const noticed = changes();
    const bob = await unlimited.developer();
    expect(admitted(await reads(bob, 4 * READS))).toBe(2 * READS);
    // An outage is logged once, not for every request.
    expect(changes()).toEqual(noticed);

    await redis.start();
    await until(areShared);
    expect(admitted(await whileShared(async () => reads(await unlimited.developer(), 3 * READS)))).toBe(READS);
  });
});
