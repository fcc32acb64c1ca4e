import { reachedPercent } from './budget';

describe('reachedPercent', () => {
  it.each([
    [0n, 100n, null],
    [49n, 100n, null],
    [50n, 100n, 50],
    [79n, 100n, 50],
    [80n, 100n, 80],
    [100n, 100n, 100],
    [1_000n, 100n, 100],
    // With a budget of 0, the first micro-dollar reaches every threshold.
    [1n, 0n, 100],
    [0n, 0n, null],
    // Without a budget there is no threshold.
    [1_000n, null, null],
    // Exact beyond the range of a double.
    [2n ** 61n, 2n ** 62n, 50],
    [2n ** 61n - 1n, 2n ** 62n, null],
  ])('for spending %p of a budget of %p is %p', (spent, budget, percent) =>
    expect(reachedPercent(spent, budget, [50, 80, 100])).toBe(percent),
  );

  it('is null when no percentages are configured', () => expect(reachedPercent(100n, 100n, [])).toBeNull());
});
