import { reachedPercent } from './budget';

describe('the threshold that spending has reached', () => {
  it.each([
    [0n, 100n, null],
    [49n, 100n, null],
    [50n, 100n, 50],
    [79n, 100n, 50],
    [80n, 100n, 80],
    [100n, 100n, 100],
    [1_000n, 100n, 100],
    // Of nothing, the first micro-dollar is all.
    [1n, 0n, 100],
    [0n, 0n, null],
    // No budget, no threshold.
    [1_000n, null, null],
    // Exact where a double is not.
    [2n ** 61n, 2n ** 62n, 50],
    [2n ** 61n - 1n, 2n ** 62n, null],
  ])('%p of %p is %p', (spent, budget, percent) => expect(reachedPercent(spent, budget, [50, 80, 100])).toBe(percent));

  it('is none when none is wished', () => expect(reachedPercent(100n, 100n, [])).toBeNull());
});
