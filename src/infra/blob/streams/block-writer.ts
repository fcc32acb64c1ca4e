import { Writable } from 'node:stream';
import { type BlobWriteOptions } from '../blob-store';
import { storeUnavailable } from '../store-errors';
import { type BlockHolder, BlockPool, freeChunk, pageAligned, sourceTooSlow } from './block-pool';

const KIB = 1024;
/**
 * Files are written in blocks of a size that was chosen by measurement between 512 KiB and 2 MiB: smaller blocks cost more system calls and
 * wake-ups of threads. With three blocks, one is filled while another is written, and the third is filled when a write is slow.
 */
const FILES: BlockSupply = {
  pool: new BlockPool({ blockBytes: 1024 * KIB, blocks: 64, allocate: pageAligned }),
  maxBlocks: 3,
  shared: true,
};
const HIGH_WATER_BYTES = 128 * KIB;

/** Writes blocks at positions, concurrently; a `FileHandle` is one. The block's memory is reused after `write` resolves. */
export interface BlockTarget {
  write(block: Buffer, offset: number, length: number, position: number): Promise<{ readonly bytesWritten: number }>;
}

/** The source of a writer's blocks. */
export interface BlockSupply {
  readonly pool: BlockPool;
  /** The maximum number of blocks of one writer. */
  readonly maxBlocks: number;
  /** Whether the memory of a block may be used again by other writers. */
  readonly shared: boolean;
}

/**
 * Writes a stream to a target in blocks of one size; the last one is shorter. Chunks fill one block while earlier blocks are being
 * written. A writer holds a block only while it has bytes; when the pool has no block, it waits and accepts no more chunks. The default
 * blocks suit files: one write per socket chunk would cost more CPU (thread pool wake-ups) and wait for each write. The caller syncs and
 * closes the file.
 */
export class BlockWriter extends Writable implements BlockHolder {
  sizeBytes = 0;
  /** The error of the target, so that a caller can tell it from an error of the source or of `onChunk`. */
  targetError: unknown;
  private readonly writes = new Set<Promise<void>>();
  /** Rejects when a write fails. */
  private readonly failed: Promise<never>;
  private fail: (error: unknown) => void = () => undefined;
  private held = 0;
  private block: Buffer | undefined;
  private cancelRequest: () => void = () => undefined;
  private filledBytes = 0;
  private writtenBytes = 0;

  constructor(
    private readonly target: BlockTarget,
    private readonly options: Pick<BlobWriteOptions, 'onChunk' | 'freesChunks'> = {},
    private readonly supply: BlockSupply = FILES,
  ) {
    super({ highWaterMark: HIGH_WATER_BYTES });
    this.failed = new Promise((_resolve, reject) => (this.fail = reject));
    this.failed.catch((error: unknown) => (this.targetError ??= error));
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    try {
      this.options.onChunk?.(chunk);
    } catch (error) {
      return done(error as Error);
    }
    this.sizeBytes += chunk.length;
    const copied = this.fill(chunk);
    if (copied === chunk.length) return this.finishChunk(chunk, done);
    this.fillRest(chunk.subarray(copied)).then(() => this.finishChunk(chunk, done), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.flush();
    Promise.race([this.failed, Promise.all(this.writes)]).then(() => done(), done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.cancelRequest();
    if (this.block) this.giveBack(this.block, true);
    this.block = undefined;
    done(error);
  }

  /** A block that is not being filled is being written, so the target is too slow. */
  cutOff(block: Buffer): void {
    if (block === this.block) return void this.destroy(sourceTooSlow());
    const error = storeUnavailable({ code: 'ETIMEDOUT', status: undefined, message: 'The store is too slow' }, {});
    this.targetError ??= error;
    this.destroy(error);
  }

  /** Copies as much as fits without waiting. @returns the number of bytes copied. */
  private fill(chunk: Buffer): number {
    let copied = 0;
    while (copied < chunk.length) {
      this.block ??= this.tryTake();
      if (!this.block) break;
      const bytes = chunk.copy(this.block, this.filledBytes, copied);
      copied += bytes;
      this.filledBytes += bytes;
      if (this.filledBytes === this.block.length) this.flush();
    }
    return copied;
  }

  private async fillRest(chunk: Buffer): Promise<void> {
    for (let rest = chunk; rest.length > 0 && !this.destroyed; rest = rest.subarray(this.fill(rest))) {
      await Promise.race([this.failed, this.mayTake ? this.blockGranted() : Promise.race(this.writes)]);
    }
  }

  private finishChunk(chunk: Buffer, done: () => void): void {
    if (this.options.freesChunks) freeChunk(chunk);
    done();
  }

  private get mayTake(): boolean {
    return this.held < this.supply.maxBlocks;
  }

  private tryTake(): Buffer | undefined {
    const block = this.mayTake ? this.supply.pool.tryTake(this) : undefined;
    if (block) this.held += 1;
    return block;
  }

  private blockGranted(): Promise<void> {
    return new Promise((resolve) => {
      this.cancelRequest = this.supply.pool.request(this, (block) => {
        this.held += 1;
        this.block = block;
        resolve();
      });
    });
  }

  private flush(): void {
    const { block, filledBytes } = this;
    if (!block || filledBytes === 0) return;
    const write = writeFully(this.target, block, filledBytes, this.writtenBytes).then(
      () => {
        this.giveBack(block, this.supply.shared);
        this.writes.delete(write);
      },
      (error: unknown) => {
        this.fail(error);
        this.cancelRequest();
        // The request that failed may still be reading the block.
        this.giveBack(block, false);
      },
    );
    this.writes.add(write);
    this.writtenBytes += filledBytes;
    this.filledBytes = 0;
    this.block = undefined;
  }

  private giveBack(block: Buffer, reusable: boolean): void {
    this.held -= 1;
    this.supply.pool.giveBack(block, reusable);
  }
}

/** Writes the first `length` bytes of a block. Repeats short writes, which happen for example when the disk fills up. */
export async function writeFully(target: BlockTarget, block: Buffer, length: number, position: number): Promise<void> {
  for (let written = 0; written < length;) {
    written += (await target.write(block, written, length - written, position + written)).bytesWritten;
  }
}
