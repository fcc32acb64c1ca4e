import { addAbortSignal, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type ByteRange } from '../blob-store';
import { bounded } from './bounded-read';
import { isBehindTheEnd } from '../store-errors';

/** A store that reads by ranges. */
interface RangeReader {
  readonly read: (range: ByteRange) => Promise<Readable>;
  /** What it means when a stream breaks. */
  readonly unavailable: (error: unknown) => Error;
}

/**
 * A block of a blob: shorter, or empty, where the blob ends before it.
 * @param signal ends it, however the store drags on.
 */
export async function readBlock(
  { read, unavailable }: RangeReader,
  offset: number,
  length: number,
  signal?: AbortSignal,
): Promise<Buffer> {
  // There is no range of no bytes.
  const end = offset + Math.max(length, 1) - 1;
  try {
    const stream = bounded(await read({ start: offset, end }), end - offset + 1);
    return (await buffer(signal ? addAbortSignal(signal, stream) : stream)).subarray(0, length);
  } catch (error) {
    if (isBehindTheEnd(error)) return Buffer.alloc(0);
    throw unavailable(error);
  }
}
