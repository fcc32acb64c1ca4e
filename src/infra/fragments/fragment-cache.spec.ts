import { type RequestContext } from '#kernel/context/request-context';
import { type Fragment, FragmentCache } from './fragment-cache';

const at = (time: number, transaction?: object): RequestContext =>
  ({ clock: { now: () => new Date(time) }, transaction }) as unknown as RequestContext;

const fragment = (text: string, times: Partial<Fragment> = {}): Fragment => ({
  version: '1',
  from: -Infinity,
  until: Infinity,
  pieces: [text],
  ...times,
});

describe('FragmentCache', () => {
  let cache: FragmentCache<Fragment>;
  beforeEach(() => (cache = new FragmentCache(10_000)));

  it('returns a fragment for its key and version only', () => {
    cache.set(at(0), 'a', fragment('A'));
    expect(cache.get(at(0), 'a', '1')?.pieces).toEqual(['A']);
    expect(cache.get(at(0), 'a', '2')).toBeUndefined();
    expect(cache.get(at(0), 'b', '1')).toBeUndefined();
  });

  // red when: one of the ends is not checked, or belongs to the other side
  it('returns a fragment from its first moment until before its end', () => {
    cache.set(at(5), 'a', fragment('A', { from: 5, until: 7 }));
    expect([4, 5, 6, 7].map((time) => cache.get(at(time), 'a', '1') !== undefined)).toEqual([false, true, true, false]);
  });

  // red when: `set` does not look at the transaction
  it('keeps nothing that was read inside a transaction', () => {
    cache.set(at(0, {}), 'a', fragment('A'));
    expect(cache.get(at(0), 'a', '1')).toBeUndefined();
  });

  // red when: the limit counts fragments
  it('keeps the most recently used fragments within its bytes', () => {
    for (const key of ['a', 'b', 'c']) cache.set(at(0), key, fragment('x'.repeat(2_000)));
    expect(['a', 'b', 'c'].map((key) => cache.get(at(0), key, '1') !== undefined)).toEqual([false, true, true]);
    cache.set(at(0), 'd', fragment('x'.repeat(20_000)));
    expect(cache.get(at(0), 'd', '1')).toBeUndefined();
  });
});
