import { BlockPool } from './block-pool';

const holder = () => ({ cutOff: jest.fn() });

describe('BlockPool', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());
  const poolOf = (blocks: number): BlockPool => new BlockPool({ blockBytes: 16, blocks });

  it('lends no more blocks than it may, and serves waiting writers in order', () => {
    const pool = poolOf(1);
    const first = pool.tryTake(holder())!;
    expect(pool.tryTake(holder())).toBeUndefined();
    const granted: string[] = [];
    pool.request(holder(), () => granted.push('a'));
    const cancel = pool.request(holder(), () => granted.push('b'));
    pool.request(holder(), (block) => {
      granted.push('c');
      pool.giveBack(block, true);
    });
    cancel();
    expect(granted).toEqual([]);
    pool.giveBack(first, true);
    expect([granted, pool.inUse]).toEqual([['a'], 1]);
  });

  // red when: a writer that comes later takes a block before one that waits
  it('lends nothing to new writers while others wait', () => {
    const pool = poolOf(2);
    const blocks = [pool.tryTake(holder())!, pool.tryTake(holder())!];
    const waiting = holder();
    const cancel = pool.request(waiting, () => cancel());
    const granted: Buffer[] = [];
    pool.request(waiting, (block) => granted.push(block));
    pool.giveBack(blocks[0]!, true);
    expect(granted).toEqual([]);
    expect(pool.tryTake(holder())).toBeUndefined();
  });

  // red when: memory that a store may still be reading is given to the next writer
  it('lends the memory of a block again only if it is reusable', () => {
    const pool = poolOf(1);
    const first = pool.tryTake(holder())!;
    pool.giveBack(first, false);
    const second = pool.tryTake(holder())!;
    expect(second).not.toBe(first);
    pool.giveBack(second, true);
    expect(pool.tryTake(holder())).toBe(second);
  });

  // red when: a pool that was closed still calls `onTrim`, which collects the garbage of a process that has other work
  it.each([
    [false, 1],
    [true, 0],
  ])('is trimmed ten seconds after its last use, unless it was closed (%s)', (isClosed, calls) => {
    const onTrim = jest.fn();
    const pool = new BlockPool({ blockBytes: 16, blocks: 1, onTrim });
    pool.giveBack(pool.tryTake(holder())!, true);
    if (isClosed) pool.close();
    jest.advanceTimersByTime(30_000);
    expect(onTrim).toHaveBeenCalledTimes(calls);
  });

  // red when: a client that stalls keeps its block while others wait
  it('cuts off the writer that has held a block longest, once another one has waited for ten seconds', () => {
    const pool = poolOf(2);
    const [stalled, newer] = [holder(), holder()];
    const block = pool.tryTake(stalled)!;
    stalled.cutOff.mockImplementation(() => pool.giveBack(block, true));
    jest.advanceTimersByTime(25_000);
    pool.tryTake(newer);
    const granted = jest.fn();
    pool.request(holder(), granted);
    jest.advanceTimersByTime(9_000);
    expect([granted.mock.calls.length, stalled.cutOff.mock.calls.length]).toEqual([0, 0]);
    jest.advanceTimersByTime(2_000);
    expect([granted.mock.calls.length, stalled.cutOff.mock.calls.length]).toEqual([1, 1]);
    expect(newer.cutOff).not.toHaveBeenCalled();
  });

  it('cuts off no writer while no other one waits', () => {
    const pool = poolOf(1);
    const only = holder();
    pool.tryTake(only);
    jest.advanceTimersByTime(600_000);
    expect(only.cutOff).not.toHaveBeenCalled();
  });

  it('drops free blocks after ten seconds without use, and stops its timer', () => {
    const pool = poolOf(1);
    const first = pool.tryTake(holder())!;
    pool.giveBack(first, true);
    jest.advanceTimersByTime(11_000);
    expect(jest.getTimerCount()).toBe(0);
    expect(pool.tryTake(holder())).not.toBe(first);
  });
});
