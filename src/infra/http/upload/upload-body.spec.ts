import { type IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { setImmediate as tick } from 'node:timers/promises';
import { TransferRate, UploadBody } from './upload-body';

const IDLE_MS = 60_000;
const CHUNK = Buffer.alloc(1_000);
/** Bytes per second. */
const MIN_RATE = 10_000;

describe('UploadBody', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
  afterEach(() => jest.useRealTimers());

  function bodyOf(minBytesPerSecond = 0) {
    const request = Object.assign(new PassThrough(), { headers: {} });
    const limits = { maxFileBytes: 1_000_000, maxFormBytes: 1_000, idleMs: IDLE_MS, minBytesPerSecond };
    const body = new UploadBody(request as unknown as IncomingMessage, limits);
    const errors: unknown[] = [];
    body.on('error', (error) => errors.push(error));
    return { request, body, errors };
  }

  /** Timers of other code in this process run out here. Those of a body last longer. */
  function timersLeft(): number {
    jest.advanceTimersByTime(IDLE_MS / 2);
    return jest.getTimerCount();
  }

  it('fails only after the client was idle for the whole idle time', async () => {
    const { request, body, errors } = bodyOf();
    body.resume();
    for (let chunk = 0; chunk < 10; chunk += 1) {
      request.write(CHUNK);
      await tick();
      jest.advanceTimersByTime(IDLE_MS - 1);
    }
    expect(errors).toEqual([]);
    jest.advanceTimersByTime(1);
    await tick();
    expect(errors).toMatchObject([{ details: { reason: 'upload_stalled' } }]);
  });

  it('does not count the idle time while the stream is not read', async () => {
    const { request, body, errors } = bodyOf();
    for (let chunk = 0; chunk < 400; chunk += 1) request.write(CHUNK);
    body.read(1);
    for (let turn = 0; turn < 10; turn += 1) await tick();
    jest.advanceTimersByTime(IDLE_MS * 10);
    await tick();
    expect(errors).toEqual([]);
    body.resume();
    for (let turn = 0; turn < 10; turn += 1) await tick();
    jest.advanceTimersByTime(IDLE_MS);
    await tick();
    expect(errors).toMatchObject([{ details: { reason: 'upload_stalled' } }]);
  });

  // red when: a byte within every idle time keeps the upload
  it('fails when the client sends fewer bytes per second than required', async () => {
    const { request, body, errors } = bodyOf(MIN_RATE);
    body.resume();
    for (let second = 0; second < 70; second += 1) {
      request.write('.');
      await tick();
      jest.advanceTimersByTime(1000);
    }
    await tick();
    expect(errors).toMatchObject([{ details: { reason: 'upload_too_slow' } }]);
    expect(timersLeft()).toBe(0);
  });

  it('stops its timers at the end of the body', async () => {
    const { request, body } = bodyOf(MIN_RATE);
    body.resume();
    request.end(CHUNK);
    for (let turn = 0; turn < 10; turn += 1) await tick();
    expect(body.readableEnded).toBe(true);
    expect(timersLeft()).toBe(0);
  });

  // red when: only the event `close` counts, which a request has emitted before the limits of its upload were known
  it('fails immediately when the client has already disconnected', async () => {
    const request = Object.assign(new PassThrough(), { headers: {} });
    request.destroy();
    await tick();
    const limits = { maxFileBytes: 1_000_000, maxFormBytes: 1_000, idleMs: IDLE_MS };
    const body = new UploadBody(request as unknown as IncomingMessage, limits);
    const failed = new Promise((resolve) => body.once('error', resolve));
    body.resume();
    expect(await failed).toMatchObject({ details: { reason: 'upload_aborted' } });
  });
});

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
    const rate = new TransferRate(MIN_RATE);
    rate.start(0);
    expect(send(rate, 0, 600, 1)).toBe(60);
  });

  it('rejects a client about one minute after it almost stops, although it was fast before', () => {
    const rate = new TransferRate(MIN_RATE);
    rate.start(0);
    expect(send(rate, 0, 100, 1_000_000)).toBeNull();
    expect(send(rate, 100, 600, 1)).toBeLessThanOrEqual(170);
  });

  it('accepts a client at the minimum rate, and any client during the first minute', () => {
    const rate = new TransferRate(MIN_RATE);
    rate.start(0);
    expect(send(rate, 0, 600, MIN_RATE)).toBeNull();
    const fresh = new TransferRate(MIN_RATE);
    fresh.start(0);
    expect(send(fresh, 0, 59, 0)).toBeNull();
  });

  it('does not count the time in which the service does not read', () => {
    const rate = new TransferRate(MIN_RATE);
    rate.start(0);
    expect(send(rate, 0, 30, MIN_RATE)).toBeNull();
    rate.pause(30_000);
    expect(rate.isTooSlow(3_000_000)).toBe(false);
    rate.start(3_000_000);
    expect(send(rate, 3_000, 60, MIN_RATE)).toBeNull();
  });
});
