import { ApiError } from '../src/api-error';
import { isTransient, pauseAfter, sleep } from '../src/upload/retries';

const error = (status: number, reason?: string, retryAfter: number | null = null): ApiError =>
  new ApiError(status, 'any', 'Any.', reason ? { reason } : {}, retryAfter);

describe('a failed request of an upload', () => {
  it.each([
    [error(0), true],
    [error(429), true],
    [error(503), true],
    [error(400, 'upload_stalled'), true],
    [error(409, 'idempotency_in_flight'), true],
    [error(400, 'corrupt_archive'), false],
    [error(402), false],
    [error(401), false],
    [error(404), false],
  ])('is retried if it can succeed shortly afterwards: %#', (failure, expected) => {
    expect(isTransient(failure)).toBe(expected);
  });

  it('is retried after growing pauses', () => {
    expect([1, 2, 3, 4].map((tries) => pauseAfter(tries, error(0)))).toEqual([1_000, 2_000, 4_000, 8_000]);
  });

  it('waits as long as the response demands, at most a minute', () => {
    expect(pauseAfter(1, error(429, undefined, 7))).toBe(7_000);
    expect(pauseAfter(4, error(429, undefined, 7))).toBe(8_000);
    expect(pauseAfter(1, error(503, undefined, 3_600))).toBe(60_000);
  });

  it('ends its pause when the upload is discarded', async () => {
    const aborter = new AbortController();
    const pause = sleep(60_000, aborter.signal);
    aborter.abort(new Error('discarded'));
    await expect(pause).rejects.toThrow('discarded');
    await expect(sleep(60_000, aborter.signal)).rejects.toThrow('discarded');
  });
});
