import { SingleFlightCache } from './single-flight-cache';

describe('SingleFlightCache', () => {
  let now = 0;
  let loads = 0;
  const clock = { now: () => new Date(now) };
  const cacheOf = (load: () => Promise<number> = () => Promise.resolve(++loads)): SingleFlightCache<number> =>
    new SingleFlightCache(load, 500, clock);
  beforeEach(() => {
    now = 0;
    loads = 0;
  });

  // red when: each caller loads the value, or freshMs is compared the other way round
  it('loads again only when the value is no longer fresh', async () => {
    const number = cacheOf();
    expect(await number.value()).toBe(1);
    now = 499;
    expect(await number.value()).toBe(1);
    now = 500;
    expect(await number.value()).toBe(2);
  });

  // red when: a caller during a load starts another one, also when the load takes longer than freshMs
  it('shares one load between concurrent callers', async () => {
    const resolvers: ((value: number) => void)[] = [];
    const number = cacheOf(() => new Promise((resolve) => resolvers.push(resolve)));
    const first = number.value();
    now = 10_000;
    const second = number.value();
    for (const [index, resolve] of resolvers.entries()) resolve(index);
    expect([await first, await second]).toEqual([0, 0]);
  });

  // red when: freshMs counts from the end of the load, so that a value loaded slowly counts as new
  it('counts freshness from the start of the load', async () => {
    const number = cacheOf(() => {
      now += 10_000;
      return Promise.resolve(++loads);
    });
    expect([await number.value(), await number.value()]).toEqual([1, 2]);
  });
});
