import fc from 'fast-check';
import { dayOf, daysOf, isPeriodName, lengthMs, periodAfter, periodNamed, periodOf } from './period';
import {
  BYTES_PER_MB,
  feeBetween,
  inDollars,
  inMegabytes,
  mbMonthOf,
  priceOf,
  reachedPercent,
  storageCharge,
  transferCharge,
} from './pricing';

const amount = fc.bigInt({ min: 0n, max: 2n ** 80n });
const unit = fc.bigInt({ min: 1n, max: 2n ** 80n });
const price = fc.bigInt({ min: 0n, max: 2n ** 53n });

/** Whether `result` is quantity × price ÷ unit rounded up, tested without a division. */
const isRoundedUp = (result: bigint, quantity: bigint, per: bigint, at: bigint): boolean =>
  result * per >= quantity * at && (result === 0n || (result - 1n) * per < quantity * at);

describe('priceOf', () => {
  // red when: priceOf rounds down or to the nearest
  it('rounds up to whole micro-dollars, exactly for numbers of any size', () => {
    fc.assert(
      fc.property(amount, unit, price, (q, u, p) => isRoundedUp(priceOf(q, u, p), q, u, p)),
      { numRuns: 2_000 },
    );
  });

  it('prices a whole at most as high as its two parts, and at most one micro-dollar lower', () => {
    fc.assert(
      fc.property(amount, amount, unit, price, (a, b, u, p) => {
        const parts = priceOf(a, u, p) + priceOf(b, u, p);
        const whole = priceOf(a + b, u, p);
        return whole <= parts && parts <= whole + 1n;
      }),
    );
  });

  it('grows with the quantity', () => {
    fc.assert(fc.property(amount, amount, unit, price, (a, b, u, p) => priceOf(a, u, p) <= priceOf(a + b, u, p)));
  });

  it.each([
    [0n, 20n, 0n],
    [1n, 20n, 1n],
    [50_000n, 20n, 1n],
    [50_001n, 20n, 2n],
    [1_000_000n, 20n, 20n],
    [2n ** 20n - 1n, 120n, 126n],
    [2n ** 20n, 120n, 126n],
    [2n ** 20n + 1n, 120n, 126n],
    [2n ** 40n, 120n, 131_941_396n],
    [2n ** 40n, 0n, 0n],
  ])('prices a transfer of %d bytes at %d micro-dollars per MB as %d', (bytes, at, costs) =>
    expect(transferCharge(bytes, at)).toBe(costs),
  );
});

describe('periods', () => {
  const instant = fc.date({ min: new Date('1970-01-01Z'), max: new Date('2200-01-01Z'), noInvalidDate: true });

  it('contain each instant in exactly one period, by UTC', () => {
    fc.assert(
      fc.property(instant, (at) => {
        const period = periodOf(at);
        expect(at >= period.start && at < period.end).toBe(true);
        expect(period.name).toBe(at.toISOString().slice(0, 7));
        expect(periodNamed(period.name)).toEqual(period);
        expect(periodAfter(period).start).toEqual(period.end);
      }),
    );
  });

  it.each([
    ['2026-11', 30],
    ['2026-12', 31],
    ['2027-02', 28],
    ['2028-02', 29],
    ['2100-02', 28],
    ['2000-02', 29],
  ])('include %s with %d days', (name, days) => {
    const period = periodNamed(name);
    expect(lengthMs(period)).toBe(BigInt(days) * 86_400_000n);
    expect(daysOf(period)).toHaveLength(days);
    expect(daysOf(period).every((day) => day.getTime() === dayOf(new Date(day.getTime() + 86_399_999)).getTime())).toBe(
      true,
    );
  });

  it.each(['2026-13', '2026-00', '2026-1', '26-01', '2026-01-01', ''])('do not have the name %p', (name) => {
    expect(isPeriodName(name)).toBe(false);
  });
});

describe('storageCharge', () => {
  it('charges the price of a month for storage over a whole month of any length', () => {
    for (const name of ['2026-11', '2026-12', '2027-02', '2028-02']) {
      const period = periodNamed(name);
      expect(storageCharge(100n * BYTES_PER_MB * lengthMs(period), period, 100n)).toBe(10_000n);
    }
  });

  it('meters 100 MB from the 11th of a 31-day month as 100 × 21/31 MB-months', () => {
    const period = periodNamed('2026-12');
    const byteMs = 100n * BYTES_PER_MB * 21n * 86_400_000n;
    expect(byteMs * 31n).toBe(mbMonthOf(period) * 100n * 21n);
    expect(inMegabytes(byteMs, mbMonthOf(period))).toBe(67.741935484);
  });

  it('shows quantities in MB, exact to the byte', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 44 }), (bytes) => inMegabytes(BigInt(bytes)) === bytes / 1_000_000),
    );
  });
});

describe('feeBetween', () => {
  const period = periodNamed('2026-11');
  const within = fc
    .integer({ min: 0, max: Number(lengthMs(period)) })
    .map((ms) => new Date(period.start.getTime() + ms));

  it('is the whole fee for the whole period, 0 for no time, and at most a micro-dollar more in two parts', () => {
    expect(feeBetween(period.start, period.end, period, 5_000_000n)).toBe(5_000_000n);
    fc.assert(
      fc.property(within, (at) => {
        expect(feeBetween(at, at, period, 5_000_000n)).toBe(0n);
        const parts = feeBetween(period.start, at, period, 5_000_000n) + feeBetween(at, period.end, period, 5_000_000n);
        expect([5_000_000n, 5_000_001n]).toContain(parts);
      }),
    );
  });
});

it.each([
  [12_345_678n, '12.34'],
  [0n, '0.00'],
  [9_999n, '0.00'],
  [10_000n, '0.01'],
  [-5_000_000n, '-5.00'],
  [-9_999n, '0.00'],
  [1_234_567_890_000n, '1234567.89'],
])('inDollars formats %d micro-dollars as %s', (micro, text) => expect(inDollars(micro)).toBe(text));

it.each([
  [12_345_678n, '12.345678'],
  [-1n, '-0.000001'],
  [1_200_000n, '1.20'],
  [0n, '0.00'],
])('inDollars formats %d micro-dollars with six decimals as %s', (micro, text) =>
  expect(inDollars(micro, 6)).toBe(text),
);

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
