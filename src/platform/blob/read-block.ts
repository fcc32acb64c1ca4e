import { type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type ByteRange } from './blob-store';
import { isBehindTheEnd } from './store-failure';

/**
 * A block of a blob that a store reads by ranges: shorter, or empty, where the blob ends before it.
 * @param unavailable what it means when the stream breaks.
 */
export async function readBlock(
  read: (range: ByteRange) => Promise<Readable>,
  offset: number,
  length: number,
  unavailable: (error: unknown) => Error,
): Promise<Buffer> {
  // There is no range of no bytes.
  const end = offset + Math.max(length, 1) - 1;
  try {
    return (await buffer(await read({ start: offset, end }))).subarray(0, length);
  } catch (error) {
    if (isBehindTheEnd(error)) return Buffer.alloc(0);
    throw unavailable(error);
  }
}
