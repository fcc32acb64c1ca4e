import { EventEmitter } from 'node:events';
import { type PoolClient } from 'pg';
import { FairPool, type PoolTurn } from './fair-pool';

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

describe('FairPool', () => {
  let pool: FairPool;
  let newPool: (max: number) => FairPool;
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick'] });
    FakeClient.fails = FakeClient.milliseconds = 0;
    const Client = FakeClient as unknown as NonNullable<ConstructorParameters<typeof FairPool>[0]['Client']>;
    newPool = (max) => (pool = new FairPool({ Client, max, idleTimeoutMillis: 0 }));
    newPool(2);
  });
  afterEach(() => jest.useRealTimers());

  const pass = (milliseconds: number): Promise<void> => jest.advanceTimersByTimeAsync(milliseconds);
  const connect = (turn?: PoolTurn): Promise<PoolClient> =>
    new Promise((resolve, reject) =>
      (turn ? pool.withTurn(turn) : pool).connect((error, client) => (client ? resolve(client) : reject(error!))),
    );
  /** Waits for a connection and holds it for the given time. */
  const works = async (milliseconds: number, turn?: PoolTurn): Promise<'served' | 'refused'> => {
    const client = await connect(turn).catch(() => null);
    if (!client) return 'refused';
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    client.release();
    return 'served';
  };
  type Outcome = Awaited<ReturnType<typeof works>> | 'waiting';
  /** The outcomes of this many concurrent callers. */
  const crowd = (count: number, milliseconds: number, turn?: PoolTurn): Outcome[] => {
    const outcomes = Array.from({ length: count }, (): Outcome => 'waiting');
    for (const place of outcomes.keys()) void works(milliseconds, turn).then((outcome) => (outcomes[place] = outcome));
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

  describe('with turns', () => {
    const tenant = (lane: string, account?: string): PoolTurn => ({
      share: 'tenants',
      lane,
      ...(account && { account }),
    });
    const client: PoolTurn = { share: 'clients', lane: '192.0.2.1' };
    const started: string[] = [];
    /** Holds a connection for a second and records when it got one. */
    const start = (name: string, turn: PoolTurn): void =>
      void connect(turn).then(async (connection) => {
        started.push(name);
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        connection.release();
      });
    beforeEach(() => {
      started.length = 0;
      newPool(10);
    });

    // red when: connections go to callers in the order of their arrival
    it('hands connections to lanes in turn, however many callers each of them has', async () => {
      newPool(3);
      for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'c1']) start(name, tenant(name[0]!));
      await pass(10);
      expect(started).toEqual(['a1', 'a2']);
      await pass(1_000);
      expect(started).toEqual(['a1', 'a2', 'b1', 'a3']);
      await pass(1_000);
      expect(started).toEqual(['a1', 'a2', 'b1', 'a3', 'c1', 'a4']);
    });

    // red when: a lane has no limit
    it('lets a lane hold a third of the connections', async () => {
      const hot = crowd(40, 60_000, tenant('hot'));
      const others = [crowd(1, 1, tenant('other')), crowd(1, 1, client), crowd(1, 1)];
      await pass(10);
      expect(pool.waiting).toBe(37);
      expect(others).toEqual([['served'], ['served'], ['served']]);
      expect(hot).toEqual(all(40, 'waiting'));
    });

    // red when: an account has the connections of all its organizations
    it('lets an account hold a third of the connections through any number of lanes', async () => {
      const hot = Array.from({ length: 20 }, (_, n) => crowd(1, 60_000, tenant(`hot ${n}`, 'ann'))).length;
      const others = [crowd(1, 1, tenant('hot 1', 'bob')), crowd(1, 1, tenant('other', 'eve'))];
      await pass(10);
      expect([hot, pool.waiting]).toEqual([20, 17]);
      expect(others).toEqual([['served'], ['served']]);
    });

    // red when: the lanes of a share together have all connections
    it('leaves one connection to the other shares, however many lanes one of them has', async () => {
      for (let lane = 0; lane < 20; lane++) crowd(2, 60_000, tenant(`hot ${lane}`));
      await pass(10);
      expect(pool.waiting).toBe(31);
      const others = [crowd(5, 1, client), crowd(1, 1)];
      await pass(10);
      expect(others).toEqual([all(5, 'served'), ['served']]);
    });

    // red when: connections that others get count as progress of a lane that is full
    it('rejects the callers of a full lane after two seconds although other lanes get connections', async () => {
      const hot = crowd(4, 5_000, tenant('hot'));
      const others = crowd(100, 500, tenant('other'));
      await pass(2_100);
      expect(hot).toEqual([...all(3, 'waiting'), 'refused']);
      await pass(20_000);
      expect(others).toEqual(all(100, 'served'));
    });

    // red when: a share keeps a slot of a connection that failed or broke
    it('returns the slot of a failed or broken connection to its lane', async () => {
      FakeClient.fails = 6;
      expect(crowd(6, 1, tenant('a'))).toHaveLength(6);
      await pass(10);
      for (let round = 0; round < 4; round++) {
        const clients = Promise.all([connect(tenant('a')), connect(tenant('a')), connect(tenant('a'))]);
        await pass(10);
        for (const each of await clients) each.release(new Error('broken'));
      }
      const served = crowd(3, 1, tenant('a'));
      await pass(10);
      expect(served).toEqual(all(3, 'served'));
    });

    // red when: an aborted caller keeps its place in the line, or takes a connection
    it('removes a caller from the line when its signal aborts', async () => {
      crowd(3, 1_000, tenant('a'));
      const gone = new AbortController();
      const reason = new Error('gone');
      const left = connect({ ...tenant('a'), signal: gone.signal }).catch((error: unknown) => error);
      await pass(10);
      expect(pool.waiting).toBe(1);
      gone.abort(reason);
      expect(await left).toBe(reason);
      expect(pool.waiting).toBe(0);
      expect(await connect({ ...tenant('b'), signal: gone.signal }).catch((error: unknown) => error)).toBe(reason);
      await pass(1_000);
      expect([pool.idleCount, pool.totalCount]).toEqual([3, 3]);
    });

    // red when: the waiting callers of a lane or account are not bounded, or those that were served or refused still count
    it('rejects a caller when a thousand of its lane or account wait', async () => {
      newPool(5);
      const hot = crowd(602, 1, tenant('hot', 'ann'));
      const others = [crowd(400, 1, tenant('hot', 'bob')), crowd(400, 1, tenant('second', 'ann'))];
      expect(await connect(tenant('hot', 'eve')).catch((error: unknown) => error)).toMatchObject({
        errorCase: 'rate_limit_exceeded',
        retryAfterSeconds: 2,
      });
      expect(await connect(tenant('third', 'ann')).catch((error: unknown) => error)).toMatchObject({
        errorCase: 'rate_limit_exceeded',
      });
      const third = crowd(1, 1, tenant('third', 'bob'));
      await pass(5_000);
      expect([hot, ...others, third].flat()).toEqual(all(1_403, 'served'));
      const next = crowd(1_002, 1, tenant('hot', 'ann'));
      await pass(5_000);
      expect(next).toEqual(all(1_002, 'served'));
    });

    it('serves one lane after the other with the smallest pool', async () => {
      newPool(2);
      for (const name of ['a1', 'a2', 'a3', 'b1']) start(name, tenant(name[0]!));
      await pass(4_500);
      expect(started).toEqual(['a1', 'a2', 'b1', 'a3']);
    });
  });

  describe('with heavy statements', () => {
    const lane: PoolTurn = { share: 'tenants', lane: 'hot' };
    const heavy: PoolTurn = { ...lane, isHeavy: true };

    // red when: heavy statements may hold all connections of their lane
    it.each([
      [5, 1],
      [9, 2],
    ])('of a pool of %d, %d run, and the lane has a connection for others', async (size, running) => {
      newPool(size);
      const slow = crowd(running + 2, 1_000, heavy);
      await pass(10);
      expect(pool.waiting).toBe(2);
      const other = crowd(1, 1, lane);
      await pass(10);
      expect(other).toEqual(['served']);
      await pass(4_000);
      expect(slow).toEqual(all(running + 2, 'served'));
    });

    // red when: heavy statements have the bound of other ones, or take the places of these
    it('rejects one when a hundred of its lane wait, but no other caller', async () => {
      newPool(5);
      const slow = crowd(102, 1_000, heavy);
      const light = crowd(200, 1, lane);
      await pass(500);
      expect(slow).toEqual([...all(101, 'waiting'), 'refused']);
      expect(light).toEqual(all(200, 'served'));
    });

    // red when: a developer has more of them in several organizations, or none of the other requests of the developer is served
    it('counts those of one developer in all organizations', async () => {
      newPool(7);
      const ofAnn = (lane: string): PoolTurn => ({ share: 'tenants', lane, account: 'ann' });
      const slow = ['acme', 'other'].map((lane) => crowd(1, 5_000, { ...ofAnn(lane), isHeavy: true }));
      const light = crowd(1, 1, ofAnn('third'));
      await pass(10);
      expect([pool.waiting, light]).toEqual([1, ['served']]);
      await pass(11_000);
      expect(slow).toEqual([['served'], ['served']]);
    });

    // red when: it waits longer for statements that are not heavy
    it('rejects one after two seconds when other statements hold its lane', async () => {
      newPool(5);
      crowd(2, 9_000, lane);
      const slow = crowd(1, 1, heavy);
      await pass(2_100);
      expect(slow).toEqual(['refused']);
    });

    // red when: a stuck one makes the others wait for half a minute
    it('rejects them when none of their lane was served for twelve seconds', async () => {
      newPool(5);
      const slow = crowd(3, 60_000, heavy);
      await pass(11_900);
      expect(slow).toEqual(['waiting', 'waiting', 'waiting']);
      await pass(200);
      expect(slow).toEqual(['waiting', 'refused', 'refused']);
    });

    // red when: a heavy statement is rejected because another one of its lane takes longer than two seconds
    it('lets them wait for each other, for half a minute at most', async () => {
      newPool(5);
      const slow = crowd(8, 9_000, heavy);
      await pass(29_900);
      expect(slow).toEqual([...all(3, 'served'), ...all(5, 'waiting')]);
      await pass(200);
      expect(slow).toEqual([...all(3, 'served'), 'waiting', ...all(4, 'refused')]);
    });
  });
});
