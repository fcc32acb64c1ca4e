import { FixedWindowStorage } from './fixed-window-storage';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

describe('FixedWindowStorage', () => {
  let now = 0;
  const storageOf = (maxWindows?: number): FixedWindowStorage =>
    new FixedWindowStorage({ now: () => new Date(now) }, maxWindows);
  const hits = async (storage: FixedWindowStorage, key: string, windowMs = MINUTE_MS): Promise<number> =>
    (await storage.increment(key, windowMs, 100)).totalHits;
  beforeEach(() => (now = 0));

  // red when: `endsAt` is compared the other way round, or every request starts a new window
  it('starts a new window when the previous one has ended', async () => {
    const storage = storageOf();
    expect([await hits(storage, 'ann'), await hits(storage, 'ann'), await hits(storage, 'bob')]).toEqual([1, 2, 1]);
    now = MINUTE_MS - 1;
    expect(await hits(storage, 'ann')).toBe(3);
    now = MINUTE_MS;
    expect(await hits(storage, 'ann')).toBe(1);
  });

  // red when: the windows are kept in a Map, or the oldest key is evicted instead of the least recently used
  it('evicts the least recently used key when there are too many', async () => {
    const storage = storageOf(3);
    for (const key of ['flood', 'quiet', 'busy', 'flood']) await hits(storage, key);
    await hits(storage, 'new');
    expect([await hits(storage, 'flood'), await hits(storage, 'busy')]).toEqual([3, 2]);
    expect(await hits(storage, 'quiet')).toBe(1);
  });

  // red when: windows of all lengths share one cache
  it('keeps one-hour windows when many one-minute windows are added', async () => {
    const storage = storageOf(3);
    await hits(storage, 'signup|ann', HOUR_MS);
    for (const key of ['a', 'b', 'c', 'd', 'e']) await hits(storage, key);
    expect(await hits(storage, 'signup|ann', HOUR_MS)).toBe(2);
  });
});
