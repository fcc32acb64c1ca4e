import { randomUUID } from 'node:crypto';
import { type FileHandle, link, mkdir, open, readdir, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '#kernel/errors/app-error';
import { alreadyStored, assertBlobKey, type BlobWriteOptions } from '../blob-store';
import { BlockWriter } from '../streams/block-writer';
import { SyncedFile } from './direct-file';
import { FreeRoom } from './free-room';

/** Keys have no dots, so no key clashes with this folder. */
const INCOMING = '.incoming';
/** Keys have no dots, so the file of `a` never clashes with the folder of `a/b`. */
export const SUFFIX = '.blob';

/** The folder of a local store. Files in it are complete and durable: they survive a power cut. */
export class LocalFolder {
  readonly root: string;
  readonly room: FreeRoom;
  private readonly incoming: string;

  /** @param minFreeBytes the bytes of the file system that are left free. */
  constructor(root: string, minFreeBytes: number) {
    this.root = resolve(root);
    this.room = new FreeRoom(this.root, minFreeBytes);
    this.incoming = join(this.root, INCOMING);
  }

  pathOf(key: string): string {
    assertBlobKey(key);
    return join(this.root, `${key}${SUFFIX}`);
  }

  /** `null` when the file does not exist. */
  async sizeOf(path: string): Promise<number | null> {
    return (await withStoreErrors(() => nullIfMissing(stat(path))))?.size ?? null;
  }

  /** A new, unique path in the incoming folder. */
  async newTemporary(): Promise<string> {
    await this.makeFolder(this.incoming);
    return this.temporaryPath();
  }

  /** Runs `use` with a new file in the incoming folder, and removes that file afterwards, also on errors. */
  async writeTemporary<T>(use: (file: FileHandle, path: string) => Promise<T>): Promise<T> {
    const [path, file] = await withStoreErrors(async () => {
      const name = this.temporaryPath();
      return [name, await this.inFolder(this.incoming, () => open(name, 'wx', 0o640))] as const;
    });
    try {
      return await use(file, path);
    } finally {
      // `close` waits for pending writes. The sweep removes a file that cannot be removed now.
      await file.close().catch(() => undefined);
      await unlink(path).catch(() => undefined);
    }
  }

  /**
   * Copies a stream to a file, from position `start`, and syncs it. @returns the number of bytes.
   * @throws AppError storage_backend_unavailable when the file system has too little room.
   */
  async copy(source: Readable, file: FileHandle, options: BlobWriteOptions, start = 0): Promise<number> {
    const { signal, onChunk } = options;
    await this.room.require();
    const synced = new SyncedFile(file, start);
    const writer = new BlockWriter(synced, { ...options, onChunk: this.room.watching(onChunk) });
    if (source.errored) throw source.errored;
    try {
      await pipeline(source, writer, { signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw error === writer.targetError ? toStoreError(error) : error;
    } finally {
      await synced.close();
    }
    await withStoreErrors(() => synced.sync());
    return writer.sizeBytes;
  }

  /** Links a complete, synced file to its final name. @throws AppError already_exists when the name is taken. */
  async publish(temporary: string, path: string): Promise<void> {
    const folder = dirname(path);
    await this.inFolder(folder, () => link(temporary, path)).catch((error: unknown) => {
      throw codeOf(error) === 'EEXIST' ? alreadyStored() : error;
    });
    await syncFolder(folder).catch(async (error: unknown) => {
      await unlink(path);
      throw error;
    });
  }

  /** Makes a folder and its missing ancestors, and syncs their parents so that the new folders survive a power cut. */
  async makeFolder(folder: string): Promise<void> {
    const topmost = await mkdir(folder, { recursive: true, mode: 0o750 });
    if (topmost === undefined) return;
    for (let made = folder; made.length >= topmost.length; made = dirname(made)) await syncFolder(dirname(made));
  }

  /** Runs `work`, which needs a folder, and makes the folder only if `work` fails without it: it exists nearly always. */
  private async inFolder<T>(folder: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
      await this.makeFolder(folder);
      return work();
    }
  }

  private temporaryPath(): string {
    return join(this.incoming, randomUUID());
  }

  /** Removes incoming files last written before `olderThan`. @returns the number of files removed. */
  async sweepTemporary(olderThan: Date): Promise<number> {
    return withStoreErrors(async () => {
      let swept = 0;
      for (const name of (await nullIfMissing(readdir(this.incoming))) ?? []) {
        const path = join(this.incoming, name);
        const found = await nullIfMissing(stat(path));
        if (!found || found.mtime >= olderThan) continue;
        await rm(path, { recursive: true, force: true });
        swept += 1;
      }
      return swept;
    });
  }
}

/** The code of a failed system call, for example `ENOENT`. */
export const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException | undefined)?.code;

/** A failed system call means that the store has failed (full, broken, unmounted, forbidden). Returns other errors unchanged. */
const toStoreError = (error: unknown): unknown =>
  (error as NodeJS.ErrnoException | undefined)?.syscall === undefined
    ? error
    : new AppError('storage_backend_unavailable', { cause: error });

/** Runs `work`; a failed system call rejects with `storage_backend_unavailable`. */
export async function withStoreErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toStoreError(error);
  }
}

/** Resolves with `null` when the file or folder does not exist. */
export async function nullIfMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** @throws AppError not_found when `found` is null. */
export function orNotFound<T>(found: T | null, what: string): T {
  if (found === null) throw AppError.notFound(what);
  return found;
}

/** Syncs a folder: a new or removed file name is durable only then. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
