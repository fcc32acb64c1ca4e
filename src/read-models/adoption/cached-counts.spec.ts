import { type RequestContext } from '#kernel/context/request-context';
import { NOBODY } from './adoption.repository';
import { CachedCounts } from './cached-counts';

const MANY = 20_001;

/** Counts that end when the test says so. */
function setup() {
  let now = 0;
  const ctx = { clock: { now: () => new Date(now) } } as RequestContext;
  const started: { end: (testers: number) => void; fail: (error: Error) => void }[] = [];
  const cached = new CachedCounts();
  const get = async (key = 'release'): Promise<number | undefined> => {
    const count = () =>
      new Promise<Map<string, typeof NOBODY>>((resolve, reject) => {
        started.push({ end: (testers) => resolve(new Map([['release', { ...NOBODY, testers }]])), fail: reject });
      });
    const counts = await cached.get(ctx, key, count);
    return counts.get('release')?.testers;
  };
  return { get, started, wait: (ms: number) => (now += ms) };
}

describe('CachedCounts', () => {
  // red when: each request counts
  it('counts once for concurrent requests of a key, and once for each key', async () => {
    const { get, started } = setup();
    const requests = [get(), get(), get('other')];
    expect(started).toHaveLength(2);
    started[0]!.end(1);
    started[1]!.end(2);
    expect(await Promise.all(requests)).toEqual([1, 1, 2]);
  });

  it('caches the count of many testers for half a minute, and that of few not at all', async () => {
    const { get, started, wait } = setup();
    const many = get();
    started[0]!.end(MANY);
    expect(await many).toBe(MANY);
    wait(29_999);
    expect(await get()).toBe(MANY);
    wait(1);
    const few = get();
    started[1]!.end(3);
    expect(await few).toBe(3);
    const again = get();
    started[2]!.end(4);
    expect(await again).toBe(4);
  });

  // red when: the time for which numbers are cached does not depend on how long they took
  it('caches a count that took seconds nine times as long', async () => {
    const { get, started, wait } = setup();
    const slow = get();
    wait(10_000);
    started[0]!.end(MANY);
    await slow;
    wait(89_999);
    expect(await get()).toBe(MANY);
    wait(1);
    void get();
    expect(started).toHaveLength(2);
  });

  // red when: a client that disconnects makes the others fail, or a failed count is cached
  it('counts for the other requests when the one that counts fails', async () => {
    const { get, started } = setup();
    const requests = [get(), get(), get()];
    started[0]!.fail(new Error('disconnected'));
    await expect(requests[0]).rejects.toThrow('disconnected');
    await new Promise(setImmediate);
    expect(started).toHaveLength(2);
    started[1]!.end(5);
    expect(await Promise.all(requests.slice(1))).toEqual([5, 5]);
  });
});
