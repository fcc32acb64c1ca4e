import { GaugeSource, type Sample, sample } from './gauge-source';

const ACTIVE = sample('agate_reservations_active', 1, {});
const LIMITS = { freshMs: 5_000, timeoutMs: 20 };

describe('GaugeSource', () => {
  let now = 0;
  let failures = 0;
  const clock = { now: () => new Date(now) };
  const sourceOf = (read: () => Promise<readonly Sample[]>): GaugeSource =>
    new GaugeSource(['agate_reservations_active'], read, () => failures++, clock, LIMITS);
  beforeEach(() => {
    now = 0;
    failures = 0;
  });

  // red when: every scrape reads
  it('reads again only after the last reading has expired', async () => {
    let readings = 0;
    const source = sourceOf(() => Promise.resolve([{ ...ACTIVE, value: ++readings }]));
    expect(await source.samples()).toEqual([{ ...ACTIVE, value: 1 }]);
    now = 4_999;
    expect(await source.samples()).toEqual([{ ...ACTIVE, value: 1 }]);
    now = 5_000;
    expect(await source.samples()).toEqual([{ ...ACTIVE, value: 2 }]);
  });

  // red when: each call of `samples` reads
  it('reads once for concurrent calls', async () => {
    let readings = 0;
    const source = sourceOf(() => Promise.resolve([{ ...ACTIVE, value: ++readings }]));
    await Promise.all([source.samples(), source.samples(), source.samples()]);
    expect(readings).toBe(1);
  });

  // red when: a failure leaves the previous samples
  it('returns null and reports one failure when reading fails', async () => {
    let works = true;
    const source = sourceOf(() => (works ? Promise.resolve([ACTIVE]) : Promise.reject(new TypeError('away'))));
    await source.samples();
    works = false;
    now = 10_000;
    expect(await source.samples()).toBeNull();
    expect(await source.samples()).toBeNull();
    expect(failures).toBe(1);
  });

  // red when: `samples` waits without a timeout, or starts a second reading
  it('returns null after the timeout and does not start a second reading', async () => {
    let answer: (samples: readonly Sample[]) => void = () => undefined;
    let readings = 0;
    const source = sourceOf(() => {
      readings++;
      return new Promise((resolve) => (answer = resolve));
    });
    expect(await source.samples()).toBeNull();
    expect(await source.samples()).toBeNull();
    expect([readings, failures]).toEqual([1, 2]);
    const last = source.samples();
    answer([ACTIVE]);
    expect(await last).toEqual([ACTIVE]);
  });
});
