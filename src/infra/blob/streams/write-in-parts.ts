import { type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type BlobHead, type BlobWriteOptions } from '../blob-store';
import { BlockWriter } from './block-writer';

/** Above the least that S3 takes, and 10 000 of them, the most it takes, are 80 GB. */
export const PART_BYTES = 8 * 1024 * 1024;
/** Held by one write: one fills while the others are sent. */
const PARTS_HELD = 4;

/** A new blob of a provider, on its way. */
export interface NewBlob {
  /** Stores the whole blob by one request; then no other method is called but `undo`. */
  putWhole(bytes: Buffer, signal: AbortSignal): Promise<void>;
  /** Sends a part, numbered from 1; several at once. All but the last have `PART_BYTES`. The bytes are only lent. */
  putPart(partNumber: number, bytes: Buffer, signal: AbortSignal): Promise<void>;
  /** Makes the blob of all parts. */
  finish(partCount: number): Promise<void>;
  /** Takes back whatever there is of it. */
  undo(): Promise<void>;
}

/**
 * Streams `source` into a new blob: by one request when it is shorter than a part, else in parts, four of them in memory at most.
 * Whatever fails is undone before this rejects, as far as the store can be reached.
 */
export async function writeInParts(
  source: Readable,
  { onChunk, signal }: BlobWriteOptions,
  blob: NewBlob,
): Promise<BlobHead> {
  const abort = new AbortController();
  const sending = new Set<Promise<unknown>>();
  const send = async (bytes: Buffer, position: number): Promise<void> => {
    const sent =
      position === 0 && bytes.length < PART_BYTES
        ? blob.putWhole(bytes, abort.signal)
        : blob.putPart(position / PART_BYTES + 1, bytes, abort.signal);
    sending.add(sent);
    await sent.finally(() => sending.delete(sent));
  };
  const target = {
    write: async (block: Buffer, offset: number, length: number, position: number) => {
      await send(block.subarray(offset, offset + length), position);
      return { bytesWritten: length };
    },
  };
  const writer = new BlockWriter(target, onChunk, { blockBytes: PART_BYTES, blocks: PARTS_HELD });
  try {
    if (source.errored) throw source.errored;
    await pipeline(source, writer, { signal });
    if (writer.sizeBytes === 0) await send(Buffer.alloc(0), 0);
    if (writer.sizeBytes >= PART_BYTES) await blob.finish(Math.ceil(writer.sizeBytes / PART_BYTES));
    return { sizeBytes: writer.sizeBytes };
  } catch (error) {
    abort.abort();
    await Promise.allSettled(sending);
    // What cannot be taken back now is the sweeper's.
    await blob.undo().catch(() => undefined);
    signal?.throwIfAborted();
    throw error;
  }
}
