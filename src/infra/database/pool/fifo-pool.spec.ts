import { EventEmitter } from 'node:events';
import { type PoolClient } from 'pg';
import { FifoPool } from './fifo-pool';

/** A fake connection. While `fails` is set, new connections fail. */
class FakeClient extends EventEmitter {
  static fails = 0;
  static milliseconds = 0;
  readonly _queryable = true;
  connect(done: (error?: Error) => void): void {
    const error = FakeClient.fails-- > 0 ? new Error('connection refused') : undefined;
    setTimeout(() => done(error), FakeClient.milliseconds);
  }
  end(done?: () => void): void {
    done?.();
  }
  ref(): void {}
  unref(): void {}
}

describe('FifoPool', () => {
  let pool: FifoPool;
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick'] });
    FakeClient.fails = FakeClient.milliseconds = 0;
    const Client = FakeClient as unknown as NonNullable<ConstructorParameters<typeof FifoPool>[0]['Client']>;
    pool = new FifoPool({ Client, max: 2, idleTimeoutMillis: 0 });
  });
  afterEach(() => jest.useRealTimers());

  const pass = (milliseconds: number): Promise<void> => jest.advanceTimersByTimeAsync(milliseconds);
  /** Waits for a connection and holds it for the given time. */
  const works = async (milliseconds: number): Promise<'served' | 'refused'> => {
    const client: PoolClient | null = await pool.connect().catch(() => null);
    if (!client) return 'refused';
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    client.release();
    return 'served';
  };
  type Outcome = Awaited<ReturnType<typeof works>> | 'waiting';
  /** The outcomes of this many concurrent callers. */
  const crowd = (count: number, milliseconds: number): Outcome[] => {
    const outcomes = Array.from({ length: count }, (): Outcome => 'waiting');
    for (const place of outcomes.keys()) void works(milliseconds).then((outcome) => (outcomes[place] = outcome));
    return outcomes;
  };
  const all = (count: number, outcome: Outcome): Outcome[] => Array.from({ length: count }, () => outcome);

  // red when: every caller has a timeout of two seconds, as in pg's own pool
  it('serves every caller while connections are handed out, however long the last one waits', async () => {
    const outcomes = crowd(20, 1_900);
    await pass(10);
    expect(pool.waiting).toBe(18);
    await pass(19_500);
    expect(outcomes).toEqual(all(20, 'served'));
    expect([pool.waiting, pool.totalCount, pool.idleCount]).toEqual([0, 2, 2]);
  });

  // red when: no caller is rejected
  it('rejects the waiting callers when no connection was handed out for two seconds', async () => {
    const held = crowd(2, 5_000);
    const late = crowd(3, 1);
    await pass(1_990);
    expect(late).toEqual(all(3, 'waiting'));
    await pass(20);
    expect(late).toEqual(all(3, 'refused'));
    await pass(3_100);
    expect(held).toEqual(all(2, 'served'));
    const next = crowd(1, 1);
    await pass(10);
    expect(next).toEqual(['served']);
  });

  // red when: callers wait without limit while connections are handed out
  it('rejects a caller after half a minute even while connections are handed out', async () => {
    const outcomes = crowd(100, 1_000);
    await pass(60_000);
    // Two connections per second.
    const refused = outcomes.indexOf('refused');
    expect(refused).toBeGreaterThanOrEqual(58);
    expect(refused).toBeLessThanOrEqual(62);
    expect(outcomes).toEqual([...all(refused, 'served'), ...all(100 - refused, 'refused')]);
  });

  // red when: a failed connection counts as handed out
  it('does not count failed connections as progress', async () => {
    FakeClient.fails = Infinity;
    FakeClient.milliseconds = 1_500;
    const outcomes = crowd(20, 1);
    await pass(4_000);
    expect(outcomes).toEqual(all(20, 'refused'));
  });

  // red when: a failed or broken connection keeps its slot
  it('gives the slot of a failed or broken connection to the next caller', async () => {
    FakeClient.fails = 5;
    const refused = crowd(5, 1);
    await pass(10);
    expect(refused).toEqual(all(5, 'refused'));
    for (let round = 0; round < 4; round++) {
      const clients = Promise.all([pool.connect(), pool.connect()]);
      await pass(10);
      for (const client of await clients) client.release(new Error('broken'));
    }
    const served = crowd(6, 100);
    await pass(1_000);
    expect(served).toEqual(all(6, 'served'));
  });

  // red when: the wait is measured by a clock
  it('lets the holders finish after a stall of the process', async () => {
    jest.useRealTimers();
    const held = await Promise.all([pool.connect(), pool.connect()]);
    const late = crowd(1, 0);
    setTimeout(() => setTimeout(() => held[0].release(), 10), 10);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_100);
    while (late[0] === 'waiting') await new Promise((resolve) => setTimeout(resolve, 10));
    expect(late).toEqual(['served']);
    held[1].release();
  });

  it('supports the callback form', async () => {
    const told = new Promise<boolean>((resolve) => {
      pool.connect((error, client, release) => {
        release();
        resolve(error === undefined && client !== undefined);
      });
    });
    await pass(10);
    expect(await told).toBe(true);
    expect(pool.idleCount).toBe(1);
  });
});
