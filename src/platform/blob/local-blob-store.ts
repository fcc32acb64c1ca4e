import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { link, mkdir, open, opendir, readdir, stat, unlink, type FileHandle } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '#kernel/errors/app-error';
import {
  assertBlobKey,
  assertBlobPrefix,
  type BlobHead,
  type BlobListing,
  type BlobStore,
  type BlobWriteOptions,
  type ByteRange,
} from './blob-store';
import { BlockWriter } from './block-writer';

/** Node's default of 64 KiB costs half as much CPU again. */
const READ_AHEAD_BYTES = 256 * 1024;
/** Starts with a dot, which no key can. */
const INCOMING = '.incoming';
/** Segments of keys have no dot either, so the file of `a` never stands in the way of the folder of `a/b`. */
const SUFFIX = '.blob';

/**
 * Blobs as files in a folder. A blob is written to `.incoming/<random>`, synced, and linked to its name, which is atomic and
 * refuses a name that exists; the file system must know hard links. What a killed process leaves in `.incoming` is for
 * {@link sweepTemporary}.
 */
export class LocalBlobStore implements BlobStore {
  private readonly root: string;
  private readonly incoming: string;

  constructor(root: string) {
    this.root = resolve(root);
    this.incoming = join(this.root, INCOMING);
  }

  async write(key: string, source: Readable, options: BlobWriteOptions = {}): Promise<BlobHead> {
    // The source may fail while the file is being opened, before anyone else listens to it.
    source.on('error', () => undefined);
    try {
      const path = this.pathOf(key);
      options.signal?.throwIfAborted();
      await this.refuseExisting(key);
      return await this.writeTemporary(async (file, temporary) => {
        const sizeBytes = await this.copy(source, file, options);
        await guarded(async () => {
          await file.datasync();
          await this.publish(temporary, path);
        });
        return { sizeBytes };
      });
    } catch (error) {
      source.destroy();
      throw error;
    }
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    const stream = createReadStream(this.pathOf(key), { ...range, highWaterMark: READ_AHEAD_BYTES });
    await guarded(() => unlessMissing(once(stream, 'open'))).then(existing);
    return stream;
  }

  async readBlock(key: string, offset: number, length: number): Promise<Buffer> {
    const path = this.pathOf(key);
    return guarded(async () => {
      const file = existing(await unlessMissing(open(path, 'r')));
      try {
        return await readFully(file, offset, length);
      } finally {
        await file.close();
      }
    });
  }

  async head(key: string): Promise<BlobHead | null> {
    const path = this.pathOf(key);
    return guarded(async () => {
      const found = await unlessMissing(stat(path));
      return found ? { sizeBytes: found.size } : null;
    });
  }

  async delete(key: string): Promise<void> {
    const path = this.pathOf(key);
    await guarded(async () => {
      const deleted = await unlessMissing(unlink(path).then(() => true));
      if (deleted) await syncFolder(dirname(path));
    });
  }

  async *list(prefix: string): AsyncGenerator<BlobListing> {
    assertBlobPrefix(prefix);
    for await (const key of this.keysIn('', prefix)) {
      const found = await guarded(() => unlessMissing(stat(this.pathOf(key))));
      if (found) yield { key, sizeBytes: found.size, modifiedAt: found.mtime };
    }
  }

  /** Writes, links and removes a file of no use: the disk is there, writable, not full, and knows hard links. */
  async check(): Promise<void> {
    await this.writeTemporary(async (file, temporary) => {
      await guarded(async () => {
        await file.write('ready?');
        await link(temporary, `${temporary}.check`);
        await unlink(`${temporary}.check`);
      });
    });
  }

  /**
   * Removes what killed processes left behind; returns how many files. A live upload touches its file with every block, so
   * `olderThan` must lie further back than an upload may idle.
   */
  async sweepTemporary(olderThan: Date): Promise<number> {
    return guarded(async () => {
      let swept = 0;
      for (const name of (await unlessMissing(readdir(this.incoming))) ?? []) {
        const path = join(this.incoming, name);
        const found = await unlessMissing(stat(path));
        if (!found || found.mtime >= olderThan) continue;
        if (await unlessMissing(unlink(path).then(() => true))) swept += 1;
      }
      return swept;
    });
  }

  private pathOf(key: string): string {
    assertBlobKey(key);
    return join(this.root, `${key}${SUFFIX}`);
  }

  private async refuseExisting(key: string): Promise<void> {
    if (await this.head(key)) throw alreadyStored();
  }

  /** Lends a new file in the incoming folder, and removes its name whatever happens. */
  private async writeTemporary<T>(use: (file: FileHandle, path: string) => Promise<T>): Promise<T> {
    const path = join(this.incoming, randomUUID());
    const file = await guarded(async () => {
      await this.makeFolder(this.incoming);
      return open(path, 'wx', 0o640);
    });
    try {
      return await use(file, path);
    } finally {
      // The handle waits for its writes before it closes. What cannot be removed now is the sweeper's.
      await file.close().catch(() => undefined);
      await unlink(path).catch(() => undefined);
    }
  }

  private async copy(source: Readable, file: FileHandle, { onChunk, signal }: BlobWriteOptions): Promise<number> {
    const writer = new BlockWriter(file, onChunk);
    if (source.errored) throw source.errored;
    try {
      await pipeline(source, writer, { signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw error === writer.fileError ? storeFailure(error) : error;
    }
    return writer.sizeBytes;
  }

  private async publish(temporary: string, path: string): Promise<void> {
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
  private async makeFolder(folder: string): Promise<void> {
    const topmost = await mkdir(folder, { recursive: true, mode: 0o750 });
    if (topmost === undefined) return;
    for (let made = folder; made.length >= topmost.length; made = dirname(made)) await syncFolder(dirname(made));
  }

  private async *keysIn(folder: string, prefix: string): AsyncGenerator<string> {
    const entries = await guarded(() => unlessMissing(opendir(join(this.root, folder))));
    for await (const entry of entries ?? []) {
      const path = `${folder}${entry.name}`;
      if (entry.isDirectory() && entry.name !== INCOMING) {
        const inside = `${path}/`;
        if (inside.startsWith(prefix) || prefix.startsWith(inside)) yield* this.keysIn(inside, prefix);
      } else if (entry.name.endsWith(SUFFIX) && path.startsWith(prefix)) {
        yield path.slice(0, -SUFFIX.length);
      }
    }
  }
}

const alreadyStored = (): AppError => new AppError('already_exists', { message: 'This blob is already stored.' });

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException | undefined)?.code;

function existing<T>(found: T | null): T {
  if (found === null) throw AppError.notFound('blob');
  return found;
}

/** A failed system call is the store's trouble: full, broken, unmounted, forbidden. Anything else is passed on. */
const storeFailure = (error: unknown): unknown =>
  (error as NodeJS.ErrnoException | undefined)?.syscall === undefined
    ? error
    : new AppError('storage_backend_unavailable', { cause: error });

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw storeFailure(error);
  }
}

async function unlessMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** A new or removed name is durable only when its folder is. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function readFully(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const block = Buffer.allocUnsafe(length);
  let filled = 0;
  for (let bytes = -1; filled < length && bytes !== 0; filled += bytes) {
    bytes = (await file.read(block, filled, length - filled, offset + filled)).bytesRead;
  }
  return block.subarray(0, filled);
}
