import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { type BlockTarget } from '../streams/block-writer';

/** The alignment of memory, length and position that every disk accepts. */
const ALIGNMENT = 4096;
/** Fewer bytes are written faster through the page cache. */
const MIN_DIRECT_BYTES = 64 * 1024;
/** Bytes between syncs. Syncing more often would not shorten the last sync. */
const SYNC_EVERY_BYTES = 32 * 1024 * 1024;

/**
 * Reads and writes an open file past the page cache of the operating system (`O_DIRECT`; docs/decisions/0057-files-past-the-page-cache.md).
 * Bytes that are too few or not aligned, such as the end of a file, go through the cache, and so do all bytes on a system without direct
 * I/O.
 */
export class DirectFile implements BlockTarget {
  private direct: Promise<FileHandle | null> | undefined;
  private isRefused = false;
  private written: Promise<unknown> = Promise.resolve();

  /** @param flags `O_RDONLY` or `O_WRONLY`. */
  constructor(
    private readonly file: FileHandle,
    private readonly flags: number,
    private readonly openAgain = openDirect,
  ) {}

  /** Fills a page-aligned block. @returns the number of bytes; fewer than the block has at the end of the file, 0 past it. */
  async read(block: Buffer, position: number): Promise<number> {
    const read = (file: FileHandle) => file.read(block, 0, block.length, position);
    return ((await this.tryDirect(block.length, position, read)) ?? (await read(this.file))).bytesRead;
  }

  /**
   * Writes `length` bytes of a block from `offset` on, or fewer: past the cache, only whole multiples of `ALIGNMENT` are written. One write
   * runs at a time: the file system would let concurrent writes wait, each in one of the few threads. A page of the cache must also not be
   * written at the same time as bytes next to it that are written past the cache.
   * @param block page-aligned.
   */
  write(block: Buffer, offset: number, length: number, position: number): Promise<{ readonly bytesWritten: number }> {
    const direct = length - (length % ALIGNMENT);
    const written = this.written.then(
      async () =>
        (await this.tryDirect(direct, position, (file) => file.write(block, offset, direct, position))) ??
        this.file.write(block, offset, length, position),
    );
    this.written = written.catch(() => undefined);
    return written;
  }

  /** Waits for pending reads and writes; never rejects. The caller syncs the file, which reports failures, and closes it. */
  async close(): Promise<void> {
    await this.written;
    await (await this.direct)?.close().catch(() => undefined);
  }

  /** @returns null when the bytes must go through the cache. */
  private async tryDirect<T>(length: number, position: number, work: (file: FileHandle) => Promise<T>) {
    if (this.isRefused || length < MIN_DIRECT_BYTES || position % ALIGNMENT !== 0) return null;
    this.direct ??= this.openAgain(this.file, this.flags);
    const direct = await this.direct;
    try {
      return direct && (await work(direct));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw error;
      this.isRefused = true;
      return null;
    }
  }
}

/** A file that is synced to the disk while it is being written, so that the final sync is short. */
export class SyncedFile implements BlockTarget {
  private readonly direct: DirectFile;
  private unsyncedBytes = 0;
  private isSyncing = false;
  /** All syncs so far, chained: the operating system reports a failure only once, and a later sync would succeed. */
  private synced: Promise<void> = Promise.resolve();

  /** @param start the position in the file of what is written at position 0. */
  constructor(
    private readonly file: FileHandle,
    private readonly start = 0,
  ) {
    this.direct = new DirectFile(file, constants.O_WRONLY);
  }

  async write(block: Buffer, offset: number, length: number, position: number): Promise<{ bytesWritten: number }> {
    const written = await this.direct.write(block, offset, length, this.start + position);
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

  /** Waits for pending writes. The caller closes the file itself. */
  close(): Promise<void> {
    return this.direct.close();
  }
}

/** Opens an open file once more, for direct I/O. Null on systems and file systems that have none. */
export const openDirect = ({ fd }: FileHandle, flags: number): Promise<FileHandle | null> =>
  open(`/proc/self/fd/${fd}`, flags | constants.O_DIRECT).catch(() => null);
