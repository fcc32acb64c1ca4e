import { type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type OnApplicationShutdown } from '@nestjs/common';
import { type BlobHead, type BlobWriteOptions } from '../blob-store';
import { BlockPool } from './block-pool';
import { type BlockSupply, BlockWriter } from './block-writer';
import { collectGarbage } from './collect-garbage';
import { type PartSupply } from './part-buffer';

/** More than the 5 MiB that S3 requires; its maximum of 10 000 parts makes 80 GB. */
export const PART_BYTES = 8 * 1024 * 1024;
/** Parts in memory per write: one is filled while the others are sent. */
const PARTS_IN_MEMORY = 4;
/** A file of the largest size that can be configured has a thousand parts of this size. */
const LARGE_PART_BYTES = 77 * 1024 * 1024;
const DEFAULT_BUFFER_BYTES = 8 * PART_BYTES;

/** The memory for parts of all writes to cloud stores in this process. */
export class PartBuffers implements OnApplicationShutdown {
  private readonly pool: BlockPool;
  /** Parts of files above 8 GB are longer than a block. One at a time is in memory, in addition to the budget. */
  private readonly largeParts = new BlockPool({ blockBytes: LARGE_PART_BYTES, blocks: 1, onTrim: collectGarbage });

  constructor(maxBytes = DEFAULT_BUFFER_BYTES) {
    const blocks = Math.max(1, Math.floor(maxBytes / PART_BYTES));
    this.pool = new BlockPool({ blockBytes: PART_BYTES, blocks, onTrim: collectGarbage });
  }

  get bytesInUse(): number {
    return this.pool.inUse * PART_BYTES + this.largeParts.inUse * LARGE_PART_BYTES;
  }

  onApplicationShutdown(): void {
    this.pool.close();
    this.largeParts.close();
  }

  /**
   * @param shared whether writes may use memory again that another write has sent to the store. False for stores of customers: such a
   * store could respond before it has read a part, and then read what the next write puts into the memory.
   */
  supply(shared: boolean): PartSupply {
    return { pool: this.pool, largeParts: this.largeParts, maxBlocks: PARTS_IN_MEMORY, shared };
  }
}

/** A blob that is being written to a provider. */
export interface NewBlob {
  /** Stores the whole blob in one request. After it, only `rollBack` is called. */
  putWhole(bytes: Buffer, signal: AbortSignal): Promise<void>;
  /**
   * Sends a part; called concurrently. Part numbers start at 1, and all parts but the last have `PART_BYTES`. `bytes` may be reused after
   * it.
   */
  putPart(partNumber: number, bytes: Buffer, signal: AbortSignal): Promise<void>;
  /** Assembles the blob from the parts. */
  finish(partCount: number): Promise<void>;
  /** Removes the blob and its parts. */
  rollBack(): Promise<void>;
}

/**
 * Streams `source` into a new blob: in one request when it is shorter than a part, otherwise in parts, with at most four in memory. Waits
 * while the memory of all writes is in use. Rolls back before it rejects, as far as the store is reachable.
 */
export async function writeInParts(
  source: Readable,
  options: BlobWriteOptions,
  blob: NewBlob,
  supply: BlockSupply,
): Promise<BlobHead> {
  const { signal } = options;
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
  const writer = new BlockWriter(target, options, supply);
  try {
    if (source.errored) throw source.errored;
    await pipeline(source, writer, { signal });
    if (writer.sizeBytes === 0) await send(Buffer.alloc(0), 0);
    if (writer.sizeBytes >= PART_BYTES) await blob.finish(Math.ceil(writer.sizeBytes / PART_BYTES));
    return { sizeBytes: writer.sizeBytes };
  } catch (error) {
    abort.abort();
    await Promise.allSettled(sending);
    // The sweep removes what the roll-back cannot.
    await blob.rollBack().catch(() => undefined);
    signal?.throwIfAborted();
    throw error;
  }
}
