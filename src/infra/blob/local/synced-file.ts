import { type FileHandle } from 'node:fs/promises';
import { type BlockTarget } from '../streams/block-writer';

/** Written since the last sync began. Less would sync more often, and leave no less for the end. */
const SYNC_EVERY_BYTES = 32 * 1024 * 1024;

/** A file that goes to the disk while it is still written: whoever waits for its last byte need not wait for all of it. */
export class SyncedFile implements BlockTarget {
  private unsyncedBytes = 0;
  private isSyncing = false;
  /** Of all syncs until now. The system tells of a failure once, and the next sync would know nothing of it. */
  private synced: Promise<void> = Promise.resolve();

  constructor(private readonly file: Pick<FileHandle, 'write' | 'datasync'>) {}

  async write(block: Buffer, offset: number, length: number, position: number): Promise<{ bytesWritten: number }> {
    const written = await this.file.write(block, offset, length, position);
    this.unsyncedBytes += written.bytesWritten;
    if (this.unsyncedBytes >= SYNC_EVERY_BYTES && !this.isSyncing) void this.sync().catch(() => undefined);
    return written;
  }

  /** Resolves when everything that was written before is on the disk. */
  sync(): Promise<void> {
    this.unsyncedBytes = 0;
    this.isSyncing = true;
    this.synced = this.synced.then(() => this.file.datasync()).finally(() => (this.isSyncing = false));
    return this.synced;
  }
}
