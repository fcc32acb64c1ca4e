import { Semaphore, type SemaphoreLimits, type Turn } from './semaphore';

const REJECTED = { retryAfterSeconds: 10, messages: { laneIsFull: 'full', noPlaceInTime: 'late' } };

/** Tasks that run until the test ends them. Records the order in which they start. */
class Tasks {
  readonly started: string[] = [];
  private readonly ends = new Map<string, () => void>();
  private readonly semaphore: Semaphore;

  constructor(limits: Partial<SemaphoreLimits> = {}) {
    this.semaphore = new Semaphore({ places: 2, waitingPerLane: 8, waitMs: 60_000, ...REJECTED, ...limits });
  }

  add(name: string, turn: Omit<Turn, 'lane'> = {}): Promise<unknown> {
    const work = async (): Promise<string> => {
      this.started.push(name);
      await new Promise<void>((resolve) => this.ends.set(name, resolve));
      return name;
    };
    return this.semaphore.run(work, { ...turn, lane: name[0]! }).catch((error: unknown) => error);
  }

  async end(name: string): Promise<void> {
    await Tasks.settle();
    this.ends.get(name)?.();
    await Tasks.settle();
  }

  static readonly settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
}

describe('Semaphore', () => {
  it('runs two tasks of one lane concurrently while no other lane waits', async () => {
    const tasks = new Tasks();
    for (const name of ['a1', 'a2', 'a3']) void tasks.add(name);
    await Tasks.settle();
    expect(tasks.started).toEqual(['a1', 'a2']);
    await tasks.end('a1');
    expect(tasks.started).toEqual(['a1', 'a2', 'a3']);
  });

  // red when: places are given in the order of arrival
  it('gives a free place to a lane without running tasks before the waiting tasks of a running lane', async () => {
    const tasks = new Tasks();
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2']) void tasks.add(name);
    await tasks.end('a1');
    await tasks.end('a2');
    expect(tasks.started).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  // red when: a lane keeps its position after it started a task
  it('lets lanes take turns', async () => {
    const tasks = new Tasks({ places: 1 });
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) void tasks.add(name);
    for (const name of ['a1', 'a2', 'b1', 'c1', 'a3']) await tasks.end(name);
    expect(tasks.started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });

  // red when: a lane that was empty goes before lanes that wait
  it('lets a waiting lane have its turn while other lanes keep coming back', async () => {
    const tasks = new Tasks({ places: 1 });
    for (const name of ['a1', 'b1', 'c1', 'c2']) void tasks.add(name);
    await tasks.end('a1');
    void tasks.add('a2');
    await tasks.end('b1');
    void tasks.add('b2');
    for (const name of ['c1', 'a2', 'b2']) await tasks.end(name);
    expect(tasks.started).toEqual(['a1', 'b1', 'c1', 'a2', 'c2']);
  });

  // red when: a place is given to the next lane of any share
  it('lets shares take turns, however many lanes one of them has', async () => {
    const tasks = new Tasks({ places: 1 });
    for (const name of ['a1', 'b1', 'c1', 'd1', 'e1']) void tasks.add(name);
    for (const name of ['x1', 'x2', 'y1']) void tasks.add(name, { share: 'reserved' });
    for (const name of ['a1', 'x1', 'b1', 'y1', 'c1', 'x2', 'd1']) await tasks.end(name);
    expect(tasks.started).toEqual(['a1', 'x1', 'b1', 'y1', 'c1', 'x2', 'd1', 'e1']);
  });

  it('rejects beforehand when a task of the lane would be rejected', async () => {
    const semaphore = new Semaphore({ places: 1, waitingPerLane: 1, waitMs: 60_000, ...REJECTED });
    let end = (): void => undefined;
    const running = semaphore.run(() => new Promise<void>((resolve) => (end = resolve)), { lane: 'a' });
    const waiting = semaphore.run(() => Promise.resolve(), { lane: 'a' });
    expect(() => semaphore.rejectWhenFull({ lane: 'a' })).toThrow('full');
    expect(() => semaphore.rejectWhenFull({ lane: 'a', share: 'reserved' })).not.toThrow();
    expect(() => semaphore.rejectWhenFull({ lane: 'b' })).not.toThrow();
    await Tasks.settle();
    end();
    await Promise.all([running, waiting]);
    expect(() => semaphore.rejectWhenFull({ lane: 'a' })).not.toThrow();
  });

  it('runs a task that must be alone only when no other task of its lane runs', async () => {
    const tasks = new Tasks();
    for (const name of ['a1', 'a2']) void tasks.add(name, { alone: true });
    void tasks.add('b1');
    await tasks.end('b1');
    expect(tasks.started).toEqual(['a1', 'b1']);
    await tasks.end('a1');
    expect(tasks.started).toEqual(['a1', 'b1', 'a2']);
  });

  // red when: a lane that fills all places makes another one wait, or takes the reserved place itself
  it('runs one task of another lane in a reserved place', async () => {
    const tasks = new Tasks({ reservedPlaces: 1 });
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) void tasks.add(name);
    await Tasks.settle();
    expect(tasks.started).toEqual(['a1', 'a2', 'b1']);
    for (const name of ['a1', 'b1', 'a2', 'c1', 'b2', 'a3']) await tasks.end(name);
    expect(tasks.started).toEqual(['a1', 'a2', 'b1', 'c1', 'b2', 'a3']);
  });

  // red when: two organizations whose own stores are slow hold both places
  it('leaves one place to other tasks, however many lanes have tasks that must be alone', async () => {
    const tasks = new Tasks();
    for (const name of ['a1', 'b1', 'c1']) void tasks.add(name, { alone: true });
    void tasks.add('d1');
    await tasks.end('d1');
    void tasks.add('d2');
    await tasks.end('d2');
    expect(tasks.started).toEqual(['a1', 'd1', 'd2']);
    for (const name of ['a1', 'b1', 'c1']) await tasks.end(name);
    expect(tasks.started).toEqual(['a1', 'd1', 'd2', 'b1', 'c1']);
  });

  // red when: the waiting tasks of a lane are not bounded, or the bound counts all lanes together
  it('rejects a task when too many of its lane wait', async () => {
    const tasks = new Tasks({ waitingPerLane: 2 });
    for (const name of ['a1', 'a2', 'a3', 'a4']) void tasks.add(name);
    expect(await tasks.add('a5')).toMatchObject({
      errorCase: 'rate_limit_exceeded',
      retryAfterSeconds: 10,
      details: { retry_after_seconds: 10 },
    });
    void tasks.add('b1');
    for (const name of ['a1', 'b1', 'a2', 'a3', 'a4']) await tasks.end(name);
    expect(tasks.started).toEqual(['a1', 'a2', 'b1', 'a3', 'a4']);
  });

  it('rejects a task that waits too long, and starts the next one', async () => {
    const tasks = new Tasks({ places: 1, waitMs: 20 });
    void tasks.add('a1');
    expect(await tasks.add('a2')).toMatchObject({
      errorCase: 'rate_limit_exceeded',
      details: { retry_after_seconds: 10 },
    });
    const next = tasks.add('b1');
    await tasks.end('a1');
    await tasks.end('b1');
    expect(await next).toBe('b1');
    expect(tasks.started).toEqual(['a1', 'b1']);
  });

  it('ends the waiting with the reason of the signal, but not a running task', async () => {
    const tasks = new Tasks({ places: 1 });
    const gone = new AbortController();
    const running = tasks.add('a1', { signal: gone.signal });
    const waiting = tasks.add('a2', { signal: gone.signal });
    const reason = new Error('gone');
    gone.abort(reason);
    expect(await waiting).toBe(reason);
    expect(await tasks.add('a3', { signal: gone.signal })).toBe(reason);
    await tasks.end('a1');
    expect(await running).toBe('a1');
    expect(tasks.started).toEqual(['a1']);
  });

  it('frees the place of a task that fails', async () => {
    const semaphore = new Semaphore({ places: 1, waitingPerLane: 1, waitMs: 60_000, ...REJECTED });
    const failure = new Error('failure');
    await expect(semaphore.run(() => Promise.reject(failure), { lane: 'a' })).rejects.toBe(failure);
    expect(await semaphore.run(() => Promise.resolve('done'), { lane: 'a' })).toBe('done');
  });
});
