import { addAbortSignal, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type ByteRange } from '../blob-store';
import { isRangeNotSatisfiable } from '../store-errors';
import { boundedRead } from './bounded-read';

/** A store that can read ranges. */
interface RangeReader {
  readonly read: (range: ByteRange) => Promise<Readable>;
  /** Maps an error of the store's stream to an `AppError`. */
  readonly unavailable: (error: unknown) => Error;
}

/**
 * Implements `BlobStore.readBlock` with range reads. The block is shorter, or empty, at the end of the blob.
 * @param signal cancels a slow read.
 */
export async function readBlock(
  { read, unavailable }: RangeReader,
  offset: number,
  length: number,
  signal?: AbortSignal,
): Promise<Buffer> {
  // HTTP has no empty range: read one byte and drop it.
  const end = offset + Math.max(length, 1) - 1;
  try {
    const stream = boundedRead(await read({ start: offset, end }), end - offset + 1);
    return (await buffer(signal ? addAbortSignal(signal, stream) : stream)).subarray(0, length);
  } catch (error) {
    if (isRangeNotSatisfiable(error)) return Buffer.alloc(0);
    throw unavailable(error);
  }
}
