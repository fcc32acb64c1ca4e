import { setTimeout as sleep } from 'node:timers/promises';
import { type Developer } from '../support/actors/actors';
import { TestApp } from '../support/app/test-app';
import { rawRequest } from '../support/load/raw-http';
import { ServerProcess } from '../support/processes/server-process';
import { RedisServer } from './redis-server';

jest.setTimeout(180_000);

/** A tenth of every limit: 60 reads a minute. */
const RATE_LIMIT_FACTOR = '0.1';
const READS = 60;
/** Sequential requests, of which few may wait for a Redis that hangs. */
const SEQUENTIAL_READS = 20;
/** A request waits at most 250 ms per counter; the rest allows for a busy machine. */
const PROMPT_MS = 10_000;

interface Read {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly tookMs: number;
}

/** Two separate processes. */
describe('two processes that share a Redis with outages', () => {
  let redis: RedisServer;
  /** Developers sign up here, because sign-ups are limited, too. */
  let unlimited: TestApp;
  let servers: ServerProcess[];
  const allReads: Read[] = [];

  beforeAll(async () => {
    redis = await RedisServer.start();
    unlimited = await TestApp.start();
    const environment = { RATE_LIMIT_FACTOR, REDIS_URL: redis.url, TRUST_PROXY: '127.0.0.1', ROLE: 'api' };
    servers = await Promise.all([1, 2].map(() => ServerProcess.start(unlimited, environment)));
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.kill()));
    await unlimited.stop();
    await redis.kill();
  });

  let addresses = 0;
  /** Sends reads of one developer from a new address, half of them to each process. */
  const reads = async (ann: Developer, count: number): Promise<Read[]> => {
    const headers = { Authorization: `Bearer ${ann.token}`, 'X-Forwarded-For': `203.0.113.${(addresses += 1)}` };
    const read = async (n: number): Promise<Read> => {
      const start = performance.now();
      const response = await rawRequest(`${servers[n % 2]!.url}/api/v1/organizations`, { headers });
      const seen = { status: response.status, retryAfter: response.headers['retry-after'] };
      return { ...seen, tookMs: performance.now() - start };
    };
    const responses = await Promise.all(Array.from({ length: count }, (_, n) => read(n)));
    allReads.push(...responses);
    return responses;
  };
  const admitted = (responses: readonly Read[]): number => responses.filter(({ status }) => status === 200).length;
  const logged = (text: string): number[] =>
    servers.map(({ lines }) => lines.filter((line) => line.includes(text)).length);
  const untilBothLog = async (text: string, times: number): Promise<void> => {
    while (logged(text).some((count) => count < times)) {
      // A process whose connection survived notices that Redis works again at its next request.
      await reads(await unlimited.developer(), 2);
      await sleep(100);
    }
  };
  const expectShared = async (): Promise<void> => {
    const count = admitted(await reads(await unlimited.developer(), 3 * READS));
    expect([READS, READS + 1]).toContain(count);
  };
  const expectSeparate = async (): Promise<void> => {
    expect(admitted(await reads(await unlimited.developer(), 4 * READS))).toBe(2 * READS);
  };

  // red when: RateLimitModule does not create a RedisStorage, or RedisStorage.hit throws errors of Redis
  it('respond only with 200 and 429 while Redis restarts, and share their counters whenever it is available', async () => {
    await expectShared();
    for (let outage = 1; outage <= 3; outage++) {
      const during = reads(await unlimited.developer(), 3 * READS);
      await redis.kill();
      await during;
      await untilBothLog('Redis is unavailable', outage);
      await expectSeparate();
      const afterwards = reads(await unlimited.developer(), 3 * READS);
      await redis.start();
      await afterwards;
      await untilBothLog('Redis is available again', outage);
      await expectShared();
    }
    // An outage is logged once, not for every request. A loaded machine may time out a command and log one more.
    for (const count of logged('Redis is unavailable')) expect(count).toBeLessThanOrEqual(6);
  });

  // red when: RedisStorage retries immediately (no retryAt) after a timeout, or does not recover after a successful command (no
  // setReachable)
  it('count separately while Redis hangs, and share their counters afterwards', async () => {
    redis.freeze();
    await untilBothLog('Redis is unavailable', 4);
    await expectSeparate();
    for (const { url } of servers) expect((await rawRequest(`${url}/api/v1/live`)).status).toBe(200);
    const ann = await unlimited.developer();
    for (let n = 0; n < SEQUENTIAL_READS; n++) await reads(ann, 1);
    redis.thaw();
    await untilBothLog('Redis is available again', 4);
    // Redis executes the commands that it received while it was frozen.
    expect(Number(await redis.read(`agate:limit:OrganizationsController.list|developer:${ann.id}`))).toBeLessThan(
      SEQUENTIAL_READS / 2,
    );
    await expectShared();
  });

  it('respond promptly throughout, and send Retry-After with every 429', () => {
    expect(allReads.filter(({ status }) => status !== 200 && status !== 429)).toEqual([]);
    expect(allReads.filter(({ status, retryAfter }) => status === 429 && !(Number(retryAfter) >= 1))).toEqual([]);
    expect(Math.max(...allReads.map(({ tookMs }) => tookMs))).toBeLessThan(PROMPT_MS);
  });
});
