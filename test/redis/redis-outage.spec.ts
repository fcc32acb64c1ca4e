import { setTimeout as sleep } from 'node:timers/promises';
import { type Developer } from '../support/actors/actors';
import { rawRequest } from '../support/load/raw-http';
import { ServerProcess } from '../support/processes/server-process';
import { TestApp } from '../support/app/test-app';
import { RedisServer } from './redis-server';

jest.setTimeout(180_000);

/** A tenth of every limit: 60 reads a minute. */
const RATE_LIMIT_FACTOR = '0.1';
const READS = 60;
/** Requests one after the other, of which hardly any asks a Redis that hangs. */
const IN_TURN = 20;
/** A quarter of a second for each counter that a request asks, and what a busy machine adds. */
const PROMPT_MS = 10_000;

interface Read {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly tookMs: number;
}

/** Reliability L2 and contract §15, on two processes of their own. */
describe('two processes that share a Redis which goes away', () => {
  let redis: RedisServer;
  /** Signing up has a budget, too: people come by a door without one. */
  let door: TestApp;
  let servers: ServerProcess[];
  const every: Read[] = [];

  beforeAll(async () => {
    redis = await RedisServer.start();
    door = await TestApp.start();
    const environment = { RATE_LIMIT_FACTOR, REDIS_URL: redis.url, TRUST_PROXY: '127.0.0.1', ROLE: 'api' };
    servers = await Promise.all([1, 2].map(() => ServerProcess.start(door, environment)));
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.kill()));
    await door.stop();
    await redis.kill();
  });

  let addresses = 0;
  /** Reads of one developer, from an address of their own, half by each process. */
  const reads = async (ann: Developer, count: number): Promise<Read[]> => {
    const headers = { Authorization: `Bearer ${ann.token}`, 'X-Forwarded-For': `203.0.113.${(addresses += 1)}` };
    const read = async (n: number): Promise<Read> => {
      const start = performance.now();
      const answer = await rawRequest(`${servers[n % 2]!.url}/api/v1/organizations`, { headers });
      const seen = { status: answer.status, retryAfter: answer.headers['retry-after'] };
      return { ...seen, tookMs: performance.now() - start };
    };
    const answers = await Promise.all(Array.from({ length: count }, (_, n) => read(n)));
    every.push(...answers);
    return answers;
  };
  const admitted = (answers: readonly Read[]): number => answers.filter(({ status }) => status === 200).length;
  const say = (text: string): number[] =>
    servers.map(({ lines }) => lines.filter((line) => line.includes(text)).length);
  const untilBothSay = async (text: string, times: number): Promise<void> => {
    while (say(text).some((said) => said < times)) {
      // Who hung, and was not cut off, hears of it when the next request asks.
      await reads(await door.developer(), 2);
      await sleep(100);
    }
  };
  const isShared = async (): Promise<void> => {
    const count = admitted(await reads(await door.developer(), 3 * READS));
    expect([READS, READS + 1]).toContain(count);
  };
  const isEachItsOwn = async (): Promise<void> => {
    expect(admitted(await reads(await door.developer(), 4 * READS))).toBe(2 * READS);
  };

  // red when: RateLimitModule never makes a RedisStorage, or RedisStorage.hit throws what Redis throws
  it('answer nothing but 200 and 429 while it is killed and started again, and share one budget whenever it is there', async () => {
    await isShared();
    for (let outage = 1; outage <= 3; outage++) {
      const during = reads(await door.developer(), 3 * READS);
      await redis.kill();
      await during;
      await untilBothSay('Redis is unavailable', outage);
      await isEachItsOwn();
      const meanwhile = reads(await door.developer(), 3 * READS);
      await redis.start();
      await meanwhile;
      await untilBothSay('Redis is available again', outage);
      await isShared();
    }
    expect(say('Redis is unavailable')).toEqual([3, 3]);
  });

  // red when: RedisStorage asks again at once (no askAgainAt) what did not answer, or does not believe what answers again (no turn
  // after a hit)
  it('do the same while it hangs', async () => {
    redis.freeze();
    await untilBothSay('Redis is unavailable', 4);
    await isEachItsOwn();
    for (const { url } of servers) expect((await rawRequest(`${url}/api/v1/live`)).status).toBe(200);
    const ann = await door.developer();
    for (let n = 0; n < IN_TURN; n++) await reads(ann, 1);
    redis.thaw();
    await untilBothSay('Redis is available again', 4);
    // What it was asked while it hung, it has done since.
    expect(Number(await redis.read(`agate:limit:read|developer:${ann.id}`))).toBeLessThan(IN_TURN / 2);
    await isShared();
  });

  it('have let nobody wait, and told everybody they refused for how long', () => {
    expect(every.filter(({ status }) => status !== 200 && status !== 429)).toEqual([]);
    expect(every.filter(({ status, retryAfter }) => status === 429 && !(Number(retryAfter) >= 1))).toEqual([]);
    expect(Math.max(...every.map(({ tookMs }) => tookMs))).toBeLessThan(PROMPT_MS);
  });
});
