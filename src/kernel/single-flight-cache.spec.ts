import { SingleFlightCache } from './single-flight-cache';

describe('what is remembered', () => {
  let now = 0;
  let asked = 0;
  const clock = { now: () => new Date(now) };
  const remembered = (find: () => Promise<number> = () => Promise.resolve(++asked)): SingleFlightCache<number> =>
    new SingleFlightCache(find, 500, clock);
  beforeEach(() => {
    now = 0;
    asked = 0;
  });

  // red when: it is found out for each who asks; or freshMs is compared the other way round
  it('is found out again only when it is old', async () => {
    const number = remembered();
    expect(await number.value()).toBe(1);
    now = 499;
    expect(await number.value()).toBe(1);
    now = 500;
    expect(await number.value()).toBe(2);
  });

  // red when: whoever asks while it is found out begins another search, as when it takes longer than it is good for
  it('is found out once for all who ask meanwhile', async () => {
    const tell: ((value: number) => void)[] = [];
    const number = remembered(() => new Promise((resolve) => tell.push(resolve)));
    const first = number.value();
    now = 10_000;
    const second = number.value();
    for (const [index, resolve] of tell.entries()) resolve(index);
    expect([await first, await second]).toEqual([0, 0]);
  });

  // red when: its age counts from when the answer came: what was so ten seconds ago would be told as new
  it('is as old as the question', async () => {
    const number = remembered(() => {
      now += 10_000;
      return Promise.resolve(++asked);
    });
    expect([await number.value(), await number.value()]).toEqual([1, 2]);
  });
});
