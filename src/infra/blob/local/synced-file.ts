import { constants } from 'node:fs';
import { type FileHandle } from 'node:fs/promises';
import { type BlockTarget } from '../streams/block-writer';
import { DirectFile } from './direct-file';

/** Bytes between syncs. Syncing more often would not shorten the last sync. */
const SYNC_EVERY_BYTES = 32 * 1024 * 1024;

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
