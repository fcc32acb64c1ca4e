import { Writable } from 'node:stream';

/** Measured from 64 KiB to 1 MiB: with larger ones the blocks no longer stay in the processor's cache when it is busy. */
const FILE_BLOCKS: BlockSize = { blockBytes: 128 * 1024, blocks: 6 };
const HIGH_WATER_BYTES = 128 * 1024;

/** Takes blocks at their positions, several at once; a `FileHandle` is one. The block is only lent until it resolves. */
export interface BlockTarget {
  write(block: Buffer, offset: number, length: number, position: number): Promise<{ readonly bytesWritten: number }>;
}

/** How long a block is, and how many are held at most. */
export interface BlockSize {
  readonly blockBytes: number;
  readonly blocks: number;
}

/**
 * Writes a stream into a target in blocks of one size, the last one shorter: chunks are copied into one block while the blocks
 * before it are on their way. To a file they are 128 KiB: writing each chunk of a socket on its own costs more CPU, in wake-ups of
 * the thread pool, and waits for each write. A file stays the caller's to sync and to close.
 */
export class BlockWriter extends Writable {
  sizeBytes = 0;
  /** What the target said, to be told apart from what the source or `onChunk` threw. */
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

  /** Copies what fits without waiting, and returns how much that was. */
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
    // A failed write stays in the set, so that whoever waits next fails too; until then it must not count as unhandled.
    write.catch((error: unknown) => (this.targetError ??= error));
    this.writes.add(write);
    this.writtenBytes += filledBytes;
    this.filledBytes = 0;
    this.block = undefined;
  }

  /** A write may be short, for instance when the disk fills up. */
  private async writeAt(block: Buffer, length: number, position: number): Promise<void> {
    for (let written = 0; written < length;) {
      written += (await this.target.write(block, written, length - written, position + written)).bytesWritten;
    }
  }
}
