import { TransferRate } from './transfer-rate';

const MIN = 10_000;

describe('TransferRate', () => {
  /** Sends `bytes` each second for a number of seconds. @returns the second in which the rate is too low; null when none is. */
  function send(rate: TransferRate, from: number, seconds: number, bytes: number): number | null {
    for (let second = from + 1; second <= from + seconds; second += 1) {
      rate.add(bytes);
      if (rate.isTooSlow(second * 1000)) return second;
    }
    return null;
  }

  // red when: a byte now and then keeps an upload
  it('rejects a client that sends a byte per second after one minute', () => {
    const rate = new TransferRate(MIN);
    rate.start(0);
    expect(send(rate, 0, 600, 1)).toBe(60);
  });

  it('rejects a client that was fast and then almost stops after about one minute', () => {
    const rate = new TransferRate(MIN);
    rate.start(0);
    expect(send(rate, 0, 100, 1_000_000)).toBeNull();
    expect(send(rate, 100, 600, 1)).toBeLessThanOrEqual(170);
  });

  it('accepts a client at the minimum rate, and any client during the first minute', () => {
    const rate = new TransferRate(MIN);
    rate.start(0);
    expect(send(rate, 0, 600, MIN)).toBeNull();
    const fresh = new TransferRate(MIN);
    fresh.start(0);
    expect(send(fresh, 0, 59, 0)).toBeNull();
  });

  it('does not count the time in which the service does not read', () => {
    const rate = new TransferRate(MIN);
    rate.start(0);
    expect(send(rate, 0, 30, MIN)).toBeNull();
    rate.pause(30_000);
    expect(rate.isTooSlow(3_000_000)).toBe(false);
    rate.start(3_000_000);
    expect(send(rate, 3_000, 60, MIN)).toBeNull();
  });
});
