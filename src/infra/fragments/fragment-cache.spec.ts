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

  /** A fragment is cached when it is made for the second time. */
  const makeTwice = (ctx: RequestContext, key: string, made: Fragment): void => {
    cache.set(ctx, key, made);
    cache.set(ctx, key, made);
  };
  const cached = (...keys: string[]): boolean[] => keys.map((key) => cache.get(at(0), key, '1') !== undefined);

  it('returns a fragment for its key and version only', () => {
    makeTwice(at(0), 'a', fragment('A'));
    expect(cache.get(at(0), 'a', '1')?.pieces).toEqual(['A']);
    expect(cache.get(at(0), 'a', '2')).toBeUndefined();
    expect(cache.get(at(0), 'b', '1')).toBeUndefined();
  });

  // red when: one of the ends is not checked, or belongs to the other side
  it('returns a fragment from its first moment until before its end', () => {
    makeTwice(at(5), 'a', fragment('A', { from: 5, until: 7 }));
    expect([4, 5, 6, 7].map((time) => cache.get(at(time), 'a', '1') !== undefined)).toEqual([false, true, true, false]);
  });

  // red when: `set` does not look at the transaction
  it('caches nothing that was read inside a transaction', () => {
    makeTwice(at(0, {}), 'a', fragment('A'));
    expect(cached('a')).toEqual([false]);
  });

  // red when: the limit counts fragments
  it('keeps the most recently used fragments within its bytes', () => {
    for (const key of ['a', 'b', 'c']) makeTwice(at(0), key, fragment('x'.repeat(2_000)));
    expect(cached('a', 'b', 'c')).toEqual([false, true, true]);
    makeTwice(at(0), 'd', fragment('x'.repeat(20_000)));
    expect(cached('d')).toEqual([false]);
  });

  // red when: every fragment is cached, or keys are forgotten immediately
  it('caches a fragment when it is made for the second time', () => {
    makeTwice(at(0), 'a', fragment('A'));
    for (let key = 0; key < 5_000; key += 1) cache.set(at(0), `${key}`, fragment('x'.repeat(2_000)));
    expect(cached('a', '4000', '4999')).toEqual([true, false, false]);
    cache.set(at(0), '4000', fragment('B'));
    expect(cached('4000')).toEqual([true]);
  });

  // red when: the keys are never forgotten
  it('forgets the keys of fragments that were made long before', () => {
    for (let key = 0; key < 9_000; key += 1) cache.set(at(0), `${key}`, fragment('A'));
    cache.set(at(0), '0', fragment('A'));
    expect(cached('0')).toEqual([false]);
  });
});
