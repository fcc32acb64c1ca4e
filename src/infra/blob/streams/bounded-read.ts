import { pipeline, type Readable, Transform } from 'node:stream';
import { AppError } from '#kernel/errors/app-error';
import { StoreError, storeUnavailable, toStoreUnavailable } from '../store-errors';

/** Limit of a response that is not a blob and is held in memory. A listing of thousands of keys is far smaller. */
export const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;
/** S3 takes minutes to complete an upload of thousands of parts, and sends white space until then. */
export const MAX_RESPONSE_MS = 15 * 60_000;

/** The default timeout of a read: this, plus the time its size takes at one megabit per second. */
const BASE_TIMEOUT_MS = 20_000;
const MIN_BYTES_PER_MS = 125;
/** Deadline of a small request: longer than any such response takes, and half of what a client should wait for a 503. */
const REQUEST_DEADLINE_MS = 4_000;
const DEADLINE_TICKS = 16;

const TOO_LONG = 'Overlong';

/**
 * Limits the size and the duration of a stream from a store, which may be a hostile customer's. A stream that is too long, too slow or
 * breaks off fails with `storage_backend_unavailable`, and the store's stream is destroyed. Use it whenever a blob is read into memory,
 * hashed, or copied to another store.
 */
export function boundedRead(
  source: Readable,
  maxBytes: number,
  timeoutMs = BASE_TIMEOUT_MS + maxBytes / MIN_BYTES_PER_MS,
): Readable {
  let receivedBytes = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      receivedBytes += chunk.length;
      if (receivedBytes > maxBytes) done(tooLong(maxBytes));
      else done(null, chunk);
    },
  });
  source.once('error', (error) => counted.destroy(toStoreUnavailable(error)));
  const timer = setTimeout(() => counted.destroy(tooSlow()), timeoutMs);
  pipeline(source, counted, () => clearTimeout(timer));
  return counted;
}

/** Whether an error says that a store sent more than `maxBytes`. */
export const isTooLong = (error: unknown): boolean =>
  error instanceof AppError && error.cause instanceof StoreError && error.cause.code === TOO_LONG;

/** The error of a store that sends more than `maxBytes`. */
export const tooLong = (maxBytes: number): AppError =>
  storeUnavailable({ code: TOO_LONG, status: undefined, message: `The store sent more than ${maxBytes} bytes` }, {});

const tooSlow = (): AppError =>
  storeUnavailable({ code: 'ETIMEDOUT', status: undefined, message: 'The store sent a blob too slowly' }, {});

/**
 * Runs a small request with a signal that aborts it, retries included, after four seconds. A stall of this process counts as one tick of
 * the deadline: a response that has arrived in the meantime is read before the request is given up. The deadline does not apply to a
 * stream that `work` resolves with.
 */
export async function withDeadline<T>(
  work: (signal: AbortSignal) => Promise<T>,
  deadlineMs = REQUEST_DEADLINE_MS,
): Promise<T> {
  const deadline = new AbortController();
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
    if (ticks === DEADLINE_TICKS) deadline.abort();
  }, deadlineMs / DEADLINE_TICKS);
  try {
    return await work(deadline.signal);
  } finally {
    clearInterval(timer);
  }
}
