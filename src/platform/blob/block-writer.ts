import { type FileHandle } from 'node:fs/promises';
import { Writable } from 'node:stream';

/** Measured from 64 KiB to 1 MiB: with larger ones the blocks no longer stay in the processor's cache when it is busy. */
const BLOCK_BYTES = 128 * 1024;
const BLOCKS = 6;

/**
 * Writes a stream into a file in blocks of 128 KiB: chunks are copied into one block while the blocks before it are on their way
 * to the disk. Writing each chunk of a socket on its own costs more CPU, in wake-ups of the thread pool, and waits for each write.
 * At most six blocks are held. The file handle stays the caller's to sync and to close.
 */
export class BlockWriter extends Writable {
  sizeBytes = 0;
  /** What the file system said, to be told apart from what the source or `onChunk` threw. */
  fileError: unknown;
  private readonly idle: Buffer[] = [];
  private readonly writes = new Set<Promise<void>>();
  private allocated = 0;
  private block: Buffer | undefined;
  private filledBytes = 0;
  private writtenBytes = 0;

  constructor(
    private readonly file: FileHandle,
    private readonly onChunk: (chunk: Buffer) => void = () => undefined,
  ) {
    super({ highWaterMark: BLOCK_BYTES });
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
      if (this.filledBytes === BLOCK_BYTES) this.flush();
    }
    return copied;
  }

  private async fillRest(chunk: Buffer): Promise<void> {
    for (let rest = chunk; rest.length > 0; rest = rest.subarray(this.fill(rest))) await Promise.race(this.writes);
  }

  private takeBlock(): Buffer | undefined {
    if (this.idle.length === 0 && this.allocated < BLOCKS) {
      this.allocated += 1;
      return Buffer.allocUnsafeSlow(BLOCK_BYTES);
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
    write.catch((error: unknown) => (this.fileError ??= error));
    this.writes.add(write);
    this.writtenBytes += filledBytes;
    this.filledBytes = 0;
    this.block = undefined;
  }

  /** A write may be short, for instance when the disk fills up. */
  private async writeAt(block: Buffer, length: number, position: number): Promise<void> {
    for (let written = 0; written < length;) {
      written += (await this.file.write(block, written, length - written, position + written)).bytesWritten;
    }
  }
}
