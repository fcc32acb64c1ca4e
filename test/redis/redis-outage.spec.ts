import { setTimeout as sleep } from 'node:timers/promises';
import { type Developer } from '../support/actors/actors';
import { TestApp } from '../support/app/test-app';
import { rawRequest } from '../support/load/raw-http';
import { ServerProcess } from '../support/processes/server-process';
import { eventually } from '../support/until';
import { RedisServer } from './redis-server';

jest.setTimeout(180_000);

/** A tenth of every limit: 60 reads a minute. */
const RATE_LIMIT_FACTOR = '0.1';
const READS = 60;
/** Sequential requests, of which few may wait for a Redis that hangs. */
const SEQUENTIAL_READS = 20;
/** The time between two requests of a process that try a Redis that hangs. */
const RETRY_MS = 1_000;
/** A request waits at most 250 ms per counter; the rest allows for a busy machine. */
const PROMPT_MS = 30_000;

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
  const logged = ({ lines }: ServerProcess, text: string): number => lines.filter((line) => line.includes(text)).length;
  /** Whether the process uses Redis, by the last change that it logged. A busy machine can add changes by delaying a command. */
  const usesRedis = (server: ServerProcess): boolean =>
    logged(server, 'Redis is unavailable') === logged(server, 'Redis is available again');
  const untilBothNotice = async (isAvailable: boolean): Promise<void> => {
    while (servers.some((server) => usesRedis(server) !== isAvailable)) {
      // A process whose connection survived notices that Redis works again at its next request.
      await reads(await unlimited.developer(), 2);
      await sleep(100);
    }
  };
  /** A process whose command times out, as on a machine that pauses, counts in its memory for a second. */
  const expectShared = async (): Promise<void> => {
    await eventually(
      async () => admitted(await reads(await unlimited.developer(), 3 * READS)),
      (count) => [READS, READS + 1].includes(count),
    );
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
      await untilBothNotice(false);
      await expectSeparate();
      const afterwards = reads(await unlimited.developer(), 3 * READS);
      await redis.start();
      await afterwards;
      await untilBothNotice(true);
      await expectShared();
    }
    // An outage is logged once, not for every request: a process served hundreds in each. A busy machine adds a few.
    for (const server of servers) expect(logged(server, 'Redis is unavailable')).toBeLessThan(READS);
  });

  // red when: RedisStorage retries immediately (no retryAt) after a timeout, or does not recover after a successful command (no
  // setReachable)
  it('count separately while Redis hangs, and share their counters afterwards', async () => {
    redis.freeze();
    await untilBothNotice(false);
    await expectSeparate();
    for (const { url } of servers) expect((await rawRequest(`${url}/api/v1/live`)).status).toBe(200);
    const ann = await unlimited.developer();
    const start = performance.now();
    for (let n = 0; n < SEQUENTIAL_READS; n++) await reads(ann, 1);
    const tookMs = performance.now() - start;
    redis.thaw();
    await untilBothNotice(true);
    // Redis executes the commands that it received while it was frozen.
    const tries = Number(await redis.read(`agate:limit:OrganizationsController.list|developer:${ann.id}`));
    expect(tries).toBeLessThanOrEqual(1 + tookMs / RETRY_MS);
    await expectShared();
  });

  it('respond promptly throughout, and send Retry-After with every 429', () => {
    expect(allReads.filter(({ status }) => status !== 200 && status !== 429)).toEqual([]);
    expect(allReads.filter(({ status, retryAfter }) => status === 429 && !(Number(retryAfter) >= 1))).toEqual([]);
    expect(Math.max(...allReads.map(({ tookMs }) => tookMs))).toBeLessThan(PROMPT_MS);
  });
});
