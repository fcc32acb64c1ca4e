import { pipeline, type Readable, Transform } from 'node:stream';
import { AppError } from '#kernel/errors/app-error';
import { brokenOff, StoreError, storeUnavailable } from '../store-errors';

/** Of an answer that is no blob and that a client holds in memory: a listing of thousands of keys is far from it. */
export const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** To complete an upload of thousands of parts takes S3 some minutes, in which it sends white space. */
export const MAX_ANSWER_MS = 15 * 60_000;

/** To begin with; and how much comes in a millisecond at least, which is a megabit a second. */
const PATIENCE_MS = 30_000;
const MIN_BYTES_PER_MS = 125;

const OVERLONG = 'Overlong';

/**
 * What a store sends, which may be a customer's and hostile: not more than was asked for, and not for ever. What is more, or comes
 * too slowly, or breaks off, ends the stream with `storage_backend_unavailable`, and the store's stream with it. Whoever reads a blob
 * into memory, to its hash, or into another store reads it through this.
 */
export function bounded(
  source: Readable,
  mostBytes: number,
  withinMs = PATIENCE_MS + mostBytes / MIN_BYTES_PER_MS,
): Readable {
  let receivedBytes = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      receivedBytes += chunk.length;
      if (receivedBytes > mostBytes) done(overlong(mostBytes));
      else done(null, chunk);
    },
  });
  source.once('error', (error) => counted.destroy(brokenOff(error)));
  const timer = setTimeout(() => counted.destroy(tooSlow()), withinMs);
  pipeline(source, counted, () => clearTimeout(timer));
  return counted;
}

/** Whether a store sent more than there should be. */
export const isOverlong = (error: unknown): boolean =>
  error instanceof AppError && error.cause instanceof StoreError && error.cause.code === OVERLONG;

const overlong = (mostBytes: number): AppError =>
  storeUnavailable({ code: OVERLONG, status: undefined, message: `There are more than ${mostBytes} bytes` }, {});

const tooSlow = (): AppError =>
  storeUnavailable({ code: 'ETIMEDOUT', status: undefined, message: 'A blob came too slowly' }, {});
