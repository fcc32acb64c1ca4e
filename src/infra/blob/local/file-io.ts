import { close, fstat, open, read } from 'node:fs';
import { type FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { type ByteRange } from '../blob-store';
import { type BlockTarget } from '../streams/block-writer';
import { type OpenBlob, sendChunks } from '../streams/open-blob';

const BLOCK_BYTES = 256 * 1024;
/** Idle blocks kept for reuse: 8 MiB. */
const MAX_IDLE_BLOCKS = 32;
/** Bytes between syncs. Syncing more often would not shorten the last sync. */
const SYNC_EVERY_BYTES = 32 * 1024 * 1024;

const opened = promisify(open);
const statOf = promisify(fstat);
/** Resolves with the number of bytes read: 0 at the end of the file or when the disk fails. */
const readInto = (file: number, block: Buffer, length: number, position: number): Promise<number> =>
  new Promise((resolve) => read(file, block, 0, length, position, (error, bytes) => resolve(error ? 0 : bytes)));

const idleBlocks: Buffer[] = [];

/**
 * Opens a file, or a range of it, for sending. Reads and sends one block at a time and reuses its memory once the socket has flushed it.
 * This takes two thirds of the CPU of `createReadStream`, which allocates new memory for every block.
 */
export async function openFile(path: string, range: ByteRange = { start: 0, end: Infinity }): Promise<OpenBlob> {
  const file = await opened(path, 'r');
  const isWhole = range.end === Infinity;
  return {
    // Only a whole file is checked, and ranges are requested often.
    ...(isWhole && { version: await versionOf(file) }),
    sendTo: (sink, expectedBytes, check) => sendChunks(blocksOf(file, range), sink, expectedBytes, check),
    close: () => close(file, () => undefined),
  };
}

/** A file is never written again after it has its name, so a later modification is not by this service. */
async function versionOf(file: number): Promise<string> {
  const { dev, ino, size, mtimeMs, ctimeMs } = await statOf(file);
  return [dev, ino, size, mtimeMs, ctimeMs].join('-');
}

/** Closes the file at the end. */
async function* blocksOf(file: number, { start, end }: ByteRange): AsyncGenerator<Buffer> {
  const block = idleBlocks.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES);
  try {
    for (let at = start; at <= end;) {
      const bytes = await readInto(file, block, Math.min(BLOCK_BYTES, end - at + 1), at);
      if (bytes === 0) break;
      yield block.subarray(0, bytes);
      at += bytes;
    }
    // Not in `finally`: after an aborted send, the socket may still be reading the block.
    if (idleBlocks.length < MAX_IDLE_BLOCKS) idleBlocks.push(block);
  } finally {
    close(file, () => undefined);
  }
}

/** A file that is synced to the disk while it is being written, so that the final sync is short. */
export class SyncedFile implements BlockTarget {
  private unsyncedBytes = 0;
  private isSyncing = false;
  /** All syncs so far, chained: the operating system reports a failure only once, and a later sync would succeed. */
  private synced: Promise<void> = Promise.resolve();

  /** @param start the position in the file of what is written at position 0. */
  constructor(
    private readonly file: Pick<FileHandle, 'write' | 'datasync'>,
    private readonly start = 0,
  ) {}

  async write(block: Buffer, offset: number, length: number, position: number): Promise<{ bytesWritten: number }> {
    const written = await this.file.write(block, offset, length, this.start + position);
    this.unsyncedBytes += written.bytesWritten;
    if (this.unsyncedBytes >= SYNC_EVERY_BYTES && !this.isSyncing) void this.sync().catch(() => undefined);
    return written;
  }

  /** Resolves when everything written so far is on the disk. */
  sync(): Promise<void> {
    this.unsyncedBytes = 0;
    this.isSyncing = true;
    this.synced = this.synced.then(() => this.file.datasync()).finally(() => (this.isSyncing = false));
    return this.synced;
  }
}
