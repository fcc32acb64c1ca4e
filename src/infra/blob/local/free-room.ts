import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from '#kernel/errors/app-error';

/** Bytes that are written between two looks at the file system. */
const CHECK_EVERY_BYTES = 32 * 1024 * 1024;
const RETRY_AFTER_SECONDS = 60;

/** The space of the file system of a store, in bytes. */
export interface Room {
  readonly freeBytes: number;
  /** The bytes that the store leaves free. */
  readonly minFreeBytes: number;
}

/** Keeps some bytes of a store's file system free: the embedded database may lie on it, and loses its work when it is full. */
export class FreeRoom {
  /** @param minFreeBytes 0: none. */
  constructor(
    private readonly folder: string,
    private readonly minFreeBytes: number,
  ) {}

  async read(): Promise<Room> {
    return { freeBytes: await freeBytesOf(this.folder), minFreeBytes: this.minFreeBytes };
  }

  /** @throws AppError storage_backend_unavailable when fewer than `bytes` can be written. */
  async require(bytes = 0): Promise<void> {
    if (this.minFreeBytes === 0) return;
    const { freeBytes } = await this.read();
    if (freeBytes - bytes < this.minFreeBytes) throw tooLittleRoom(freeBytes);
  }

  /**
   * Looks at the file system again and again while chunks are written.
   * @param onChunk is called with each chunk first.
   * @returns a function for each chunk, which throws as `require` does, some chunks after the room was used up.
   */
  watching(onChunk?: (chunk: Buffer) => void): (chunk: Buffer) => void {
    let unseen = 0;
    let failure: unknown = null;
    return (chunk) => {
      onChunk?.(chunk);
      if (failure !== null) throw failure as Error;
      unseen += chunk.length;
      if (unseen < CHECK_EVERY_BYTES) return;
      unseen = 0;
      this.require().catch((error: unknown) => (failure = error));
    };
  }
}

/** The free bytes for this process. A folder that does not exist yet is made on the file system of its parent. */
async function freeBytesOf(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (!isMissing || folder === dirname(folder)) throw new AppError('storage_backend_unavailable', { cause: error });
  }
  return freeBytesOf(dirname(folder));
}

/** The cause has the code of a full disk, so that it is reported as one. */
const tooLittleRoom = (freeBytes: number): AppError =>
  new AppError('storage_backend_unavailable', {
    message:
      'The store of this service has too little free space for this file. Retry later; operators have to make room.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause: Object.assign(
      new Error(`${freeBytes} bytes are free, less than STORAGE_MIN_FREE_BYTES leaves for this file`),
      {
        code: 'ENOSPC',
      },
    ),
  });
