import { EventEmitter } from 'node:events';
import { type PoolClient } from 'pg';
import { FairPool } from './fair-pool';

/** A fake connection to a server that can go silent: then connections that are open get no response, and new ones work. */
class FakeClient extends EventEmitter {
  static checks = 0;
  static opened: FakeClient[] = [];
  readonly _queryable = true;
  isSilent = false;
  isEnded = false;
  private reject: (error: Error) => void = () => undefined;

  connect(done: () => void): void {
    FakeClient.opened.push(this);
    setTimeout(done, 0);
  }
  query(): Promise<unknown> {
    FakeClient.checks += 1;
    return this.isSilent ? new Promise((_, reject) => (this.reject = reject)) : Promise.resolve();
  }
  end(done?: () => void): void {
    this.isEnded = true;
    this.reject(new Error('Connection terminated'));
    done?.();
  }
  ref(): void {}
  unref(): void {}
}

describe('a pool that checks idle connections', () => {
  let pool: FairPool;
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick'] });
    FakeClient.checks = 0;
    FakeClient.opened = [];
    const Client = FakeClient as unknown as NonNullable<ConstructorParameters<typeof FairPool>[0]['Client']>;
    pool = new FairPool({ Client, max: 4, idleTimeoutMillis: 0, checksIdle: true });
  });
  afterEach(() => jest.useRealTimers());

  const pass = (milliseconds: number): Promise<void> => jest.advanceTimersByTimeAsync(milliseconds);
  const take = async (milliseconds = 10): Promise<PoolClient | null> => {
    let taken: PoolClient | null = null;
    void pool.connect().then((client) => (taken = client));
    await pass(milliseconds);
    return taken;
  };
  /** Leaves this many connections idle for a time. */
  const idle = async (count: number, milliseconds: number): Promise<void> => {
    const clients: (PoolClient | null)[] = [];
    for (let n = 0; n < count; n++) clients.push(await take());
    for (const client of clients) client!.release();
    await pass(milliseconds);
  };
  const goSilent = (): void => {
    for (const client of FakeClient.opened) client.isSilent = true;
  };

  // red when: connections are checked each time: a round trip for each statement of a job
  it('checks a connection that was idle for a second, and no other', async () => {
    await idle(1, 900);
    (await take())!.release();
    expect(FakeClient.checks).toBe(0);
    await pass(1_000);
    (await take())!.release();
    expect([FakeClient.checks, FakeClient.opened.length]).toEqual([1, 1]);
  });

  // red when: the connection is handed out: its statement waits for the whole timeout
  it('replaces all connections that were idle when one of them does not respond within two seconds', async () => {
    await idle(3, 5_000);
    goSilent();
    const taken = await take(2_200);
    expect(taken).toBe(FakeClient.opened[3]);
    expect(FakeClient.checks).toBe(1);
    expect(FakeClient.opened.map(({ isEnded }) => isEnded)).toEqual([true, true, true, false]);
    expect(pool.totalCount).toBe(1);
  });

  // red when: the discarded connection keeps its slot, or frees one that it does not have
  it('has as many connections as before after it replaced some', async () => {
    await idle(4, 5_000);
    goSilent();
    const taken = [await take(2_200), await take(), await take(), await take()];
    expect(taken).toEqual(FakeClient.opened.slice(4));
    expect(await take()).toBeNull();
    expect(pool.waiting).toBe(1);
    taken[0]!.release();
    await pass(10);
    expect(pool.waiting).toBe(0);
  });

  // red when: connections that were in use while another was silent are not trusted again
  it('keeps a connection that was used after another did not respond', async () => {
    const busy = await take();
    await idle(1, 5_000);
    FakeClient.opened[1]!.isSilent = true;
    (await take(2_200))!.release();
    busy!.release();
    expect(await take()).toBe(busy);
  });
});
