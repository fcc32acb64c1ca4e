import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, rm, stat, unlink, type FileHandle } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '#kernel/errors/app-error';
import { alreadyStored, assertBlobKey, type BlobWriteOptions } from '../blob-store';
import { BlockWriter } from '../streams/block-writer';
import { SyncedFile } from './synced-file';

/** Starts with a dot, which no key can. */
const INCOMING = '.incoming';
/** Segments of keys have no dot either, so the file of `a` never stands in the way of the folder of `a/b`. */
export const SUFFIX = '.blob';

/** The folder of a local store: how files get into it so that they are whole and survive a power cut, or are not there. */
export class LocalFolder {
  readonly root: string;
  private readonly incoming: string;

  constructor(root: string) {
    this.root = resolve(root);
    this.incoming = join(this.root, INCOMING);
  }

  pathOf(key: string): string {
    assertBlobKey(key);
    return join(this.root, `${key}${SUFFIX}`);
  }

  /** The size of a file; null when it is not there. */
  async sizeOf(path: string): Promise<number | null> {
    return (await guarded(() => unlessMissing(stat(path))))?.size ?? null;
  }

  /** A name in the incoming folder that nobody has. */
  async newTemporary(): Promise<string> {
    await this.makeFolder(this.incoming);
    return join(this.incoming, randomUUID());
  }

  /** Lends a new file in the incoming folder, and removes its name whatever happens. */
  async writeTemporary<T>(use: (file: FileHandle, path: string) => Promise<T>): Promise<T> {
    const [path, file] = await guarded(async () => {
      const name = await this.newTemporary();
      return [name, await open(name, 'wx', 0o640)] as const;
    });
    try {
      return await use(file, path);
    } finally {
      // The handle waits for its writes before it closes. What cannot be removed now is the sweeper's.
      await file.close().catch(() => undefined);
      await unlink(path).catch(() => undefined);
    }
  }

  /** Resolves when all of it is on the disk. @returns how many bytes there were. */
  async copy(source: Readable, file: FileHandle, { onChunk, signal }: BlobWriteOptions): Promise<number> {
    const synced = new SyncedFile(file);
    const writer = new BlockWriter(synced, onChunk);
    if (source.errored) throw source.errored;
    try {
      await pipeline(source, writer, { signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw error === writer.targetError ? storeFailure(error) : error;
    }
    await guarded(() => synced.sync());
    return writer.sizeBytes;
  }

  /** Gives a whole, synced file its name, which nobody may have yet. @throws AppError already_exists. */
  async publish(temporary: string, path: string): Promise<void> {
    const folder = dirname(path);
    await this.makeFolder(folder);
    await link(temporary, path).catch((error: unknown) => {
      throw codeOf(error) === 'EEXIST' ? alreadyStored() : error;
    });
    await syncFolder(folder).catch(async (error: unknown) => {
      await unlink(path);
      throw error;
    });
  }

  /** Makes the folder and those above it, and syncs the parents of those that are new, so that they survive a power cut. */
  async makeFolder(folder: string): Promise<void> {
    const topmost = await mkdir(folder, { recursive: true, mode: 0o750 });
    if (topmost === undefined) return;
    for (let made = folder; made.length >= topmost.length; made = dirname(made)) await syncFolder(dirname(made));
  }

  /** Removes from the incoming folder what has not been touched since; returns how much that was. */
  async sweepTemporary(olderThan: Date): Promise<number> {
    return guarded(async () => {
      let swept = 0;
      for (const name of (await unlessMissing(readdir(this.incoming))) ?? []) {
        const path = join(this.incoming, name);
        const found = await unlessMissing(stat(path));
        if (!found || found.mtime >= olderThan) continue;
        await rm(path, { recursive: true, force: true });
        swept += 1;
      }
      return swept;
    });
  }
}

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException | undefined)?.code;

/** A failed system call is the store's trouble: full, broken, unmounted, forbidden. Anything else is passed on. */
const storeFailure = (error: unknown): unknown =>
  (error as NodeJS.ErrnoException | undefined)?.syscall === undefined
    ? error
    : new AppError('storage_backend_unavailable', { cause: error });

export async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw storeFailure(error);
  }
}

export async function unlessMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

export function existing<T>(found: T | null, what: string): T {
  if (found === null) throw AppError.notFound(what);
  return found;
}

/** A new or removed name is durable only when its folder is. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
