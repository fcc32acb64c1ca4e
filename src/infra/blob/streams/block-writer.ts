import { Writable } from 'node:stream';

/** Chosen by measurement between 64 KiB and 1 MiB: larger blocks leave the CPU cache when the machine is busy. */
const FILE_BLOCKS: BlockSize = { blockBytes: 128 * 1024, blocks: 6 };
const HIGH_WATER_BYTES = 128 * 1024;

/** Writes blocks at positions, concurrently; a `FileHandle` is one. The block's memory is reused after `write` resolves. */
export interface BlockTarget {
  write(block: Buffer, offset: number, length: number, position: number): Promise<{ readonly bytesWritten: number }>;
}

/** The size of a block, and the maximum number of blocks in memory. */
export interface BlockSize {
  readonly blockBytes: number;
  readonly blocks: number;
}

/**
 * Writes a stream to a target in blocks of one size; the last one is shorter. Chunks fill one block while earlier blocks are being
 * written. The default size suits files: one write per socket chunk would cost more CPU (thread pool wake-ups) and wait for each write.
 * The caller syncs and closes the file.
 */
export class BlockWriter extends Writable {
  sizeBytes = 0;
  /** The error of the target, so that a caller can tell it from an error of the source or of `onChunk`. */
  targetError: unknown;
  private readonly idle: Buffer[] = [];
  private readonly writes = new Set<Promise<void>>();
  private allocated = 0;
  private block: Buffer | undefined;
  private filledBytes = 0;
  private writtenBytes = 0;

  constructor(
    private readonly target: BlockTarget,
    private readonly onChunk: (chunk: Buffer) => void = () => undefined,
    private readonly size: BlockSize = FILE_BLOCKS,
  ) {
    super({ highWaterMark: HIGH_WATER_BYTES });
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    try {
      this.onChunk(chunk);
    } catch (error) {
      return done(error as Error);
    }
    this.sizeBytes += chunk.length;
    const copied = this.fill(chunk);
    if (copied === chunk.length) return done();
    this.fillRest(chunk.subarray(copied)).then(() => done(), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.flush();
    Promise.all(this.writes).then(() => done(), done);
  }

  /** Copies as much as fits without waiting. @returns the number of bytes copied. */
  private fill(chunk: Buffer): number {
    let copied = 0;
    while (copied < chunk.length) {
      this.block ??= this.takeBlock();
      if (!this.block) break;
      const bytes = chunk.copy(this.block, this.filledBytes, copied);
      copied += bytes;
      this.filledBytes += bytes;
      if (this.filledBytes === this.size.blockBytes) this.flush();
    }
    return copied;
  }

  private async fillRest(chunk: Buffer): Promise<void> {
    for (let rest = chunk; rest.length > 0; rest = rest.subarray(this.fill(rest))) await Promise.race(this.writes);
  }

  private takeBlock(): Buffer | undefined {
    if (this.idle.length === 0 && this.allocated < this.size.blocks) {
      this.allocated += 1;
      return Buffer.allocUnsafeSlow(this.size.blockBytes);
    }
    return this.idle.pop();
  }

  private flush(): void {
    const { block, filledBytes } = this;
    if (!block || filledBytes === 0) return;
    const write = this.writeAt(block, filledBytes, this.writtenBytes).then(() => {
      this.idle.push(block);
      this.writes.delete(write);
    });
    // A failed write stays in the set, so the next wait fails. Until then it must not count as an unhandled rejection.
    write.catch((error: unknown) => (this.targetError ??= error));
    this.writes.add(write);
    this.writtenBytes += filledBytes;
    this.filledBytes = 0;
    this.block = undefined;
  }

  /** Repeats short writes, which happen for example when the disk fills up. */
  private async writeAt(block: Buffer, length: number, position: number): Promise<void> {
    for (let written = 0; written < length;) {
      written += (await this.target.write(block, written, length - written, position + written)).bytesWritten;
    }
  }
}
