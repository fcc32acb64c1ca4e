import { EventEmitter } from 'node:events';
import { type Response } from 'express';
import { type RateLimitConfig } from '#infra/config/config';
import { type Metrics } from '#infra/metrics/metrics';
import { FixedWindowStorage } from './fixed-window-storage';
import { RateLimiter } from './rate-limiter';

describe('RateLimiter', () => {
  let limiter: RateLimiter;
  beforeEach(() => {
    jest.useFakeTimers();
    const clock = { now: () => new Date() };
    const metrics = { count: () => undefined } as unknown as Metrics;
    limiter = new RateLimiter(new FixedWindowStorage(clock), metrics, { rateLimitFactor: 1 } as RateLimitConfig);
  });
  afterEach(() => jest.useRealTimers());

  let clients: EventEmitter[];
  beforeEach(() => (clients = []));
  const newResponse = (): Response => {
    const response = new EventEmitter();
    clients.push(response);
    return Object.assign(response, { getHeader: () => undefined, setHeader: () => undefined }) as unknown as Response;
  };

  /** Sends requests to a counter with a limit of one. @returns how many responses were sent after each number of milliseconds. */
  const refusals = async (key: string, requests: number, after: readonly number[]): Promise<number[]> => {
    let sent = 0;
    for (let request = 0; request < requests; request++)
      void limiter
        .count('read', [{ key, limit: 1, windowSeconds: 60 }], newResponse())
        .catch(() => undefined)
        .finally(() => (sent += 1));
    const counts: number[] = [];
    for (const ms of after) {
      await jest.advanceTimersByTimeAsync(ms);
      counts.push(sent);
    }
    return counts;
  };

  // red when: every refusal waits, or none
  it('sends a hundred refusals of a window immediately, and lets further ones wait for a second', async () => {
    expect(await refusals('ci', 111, [0, 990, 20])).toEqual([101, 101, 111]);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(await refusals('ci', 101, [0])).toEqual([101]);
  });

  // red when: the flood of one client makes the refusals of others immediate
  it('lets two hundred of a counter wait, and sends its other ones immediately', async () => {
    expect(await refusals('flood', 400, [0])).toEqual([200]);
    expect(await refusals('ci', 111, [0, 1_000])).toEqual([101, 111]);
    expect(await refusals('flood', 10, [0])).toEqual([0]);
  });

  // red when: a flood of clients makes any number of refusals wait
  it('lets a thousand of the process wait, and sends the others immediately', async () => {
    for (const key of ['a', 'b', 'c', 'd', 'e']) expect(await refusals(key, 301, [0])).toEqual([101]);
    expect(await refusals('ci', 111, [0])).toEqual([111]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await refusals('ci', 10, [0])).toEqual([0]);
  });

  // red when: a client that sends its request and disconnects, again and again, makes the refusals of others immediate
  it('ends the wait of a refusal when its client disconnects', async () => {
    expect(await refusals('ci', 301, [0])).toEqual([101]);
    for (const client of clients) client.emit('close');
    expect(await refusals('ci', 201, [0, 1_000])).toEqual([1, 201]);
  });

  // red when: a client that disconnected before the wait takes a place
  it('does not wait when the client has disconnected', async () => {
    await refusals('ci', 101, [0]);
    const gone = Object.assign(newResponse(), { destroyed: true });
    const counted = limiter.count('read', [{ key: 'ci', limit: 1, windowSeconds: 60 }], gone);
    await expect(counted).rejects.toMatchObject({ errorCase: 'rate_limit_exceeded' });
  });
});
