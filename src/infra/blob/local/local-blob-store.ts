import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { type FileHandle, link, open, opendir, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Readable } from 'node:stream';
import {
  assertBlobPrefix,
  type BlobHead,
  type BlobListing,
  type BlobStore,
  type BlobWriteOptions,
  type ByteRange,
} from '../blob-store';
import { type OpenBlob } from '../streams/open-blob';
import { openBlobOf, scanFile } from './file-io';
import { type Room } from './free-room';
import { LocalFolder, nullIfMissing, orNotFound, SUFFIX, syncFolder, withStoreErrors } from './local-folder';
import { LocalPartUploads } from './local-part-uploads';
import { SharedFiles } from './shared-files';

/** Node's default of 64 KiB costs 50% more CPU. */
const READ_AHEAD_BYTES = 256 * 1024;

/**
 * Stores blobs as files in a folder. A blob is written to `.incoming/<random>`, synced, and hard-linked to its name; linking is atomic and
 * fails when the name exists. The file system must support hard links. {@link sweepTemporary} removes what a killed process leaves in
 * `.incoming`.
 */
export class LocalBlobStore implements BlobStore {
  readonly parts: LocalPartUploads;
  private readonly folder: LocalFolder;
  private readonly files = new SharedFiles();

  /** @param minFreeBytes the bytes of the file system that writes leave free. Default: none. */
  constructor(root: string, minFreeBytes = 0) {
    this.folder = new LocalFolder(root, minFreeBytes);
    this.parts = new LocalPartUploads(this.folder);
  }

  async write(key: string, source: Readable, options: BlobWriteOptions = {}): Promise<BlobHead> {
    // The source may fail before the pipeline listens to it.
    source.on('error', () => undefined);
    try {
      const path = this.folder.pathOf(key);
      options.signal?.throwIfAborted();
      return await this.folder.writeTemporary(async (file, temporary) => {
        const sizeBytes = await this.folder.copy(source, file, options);
        await withStoreErrors(() => this.folder.publish(temporary, path));
        return { sizeBytes };
      });
    } catch (error) {
      source.destroy();
      throw error;
    }
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    const stream = createReadStream(this.folder.pathOf(key), { ...range, highWaterMark: READ_AHEAD_BYTES });
    orNotFound(await withStoreErrors(() => nullIfMissing<unknown>(once(stream, 'open'))), 'blob');
    return stream;
  }

  async open(key: string, range?: ByteRange): Promise<OpenBlob> {
    const path = this.folder.pathOf(key);
    return withStoreErrors(async () =>
      openBlobOf(orNotFound(await nullIfMissing(this.files.open(path)), 'blob'), range),
    );
  }

  async scan(key: string, onChunk: (chunk: Buffer) => void, start = 0): Promise<void> {
    const path = this.folder.pathOf(key);
    await withStoreErrors(async () => {
      const file = orNotFound(await nullIfMissing(open(path, 'r')), 'blob');
      try {
        await scanFile(file, onChunk, { start, end: Infinity });
      } finally {
        await file.close();
      }
    });
  }

  async readBlock(key: string, offset: number, length: number): Promise<Buffer> {
    const path = this.folder.pathOf(key);
    return withStoreErrors(async () => {
      const file = orNotFound(await nullIfMissing(open(path, 'r')), 'blob');
      try {
        return await readFully(file, offset, length);
      } finally {
        await file.close();
      }
    });
  }

  async head(key: string): Promise<BlobHead | null> {
    const sizeBytes = await this.folder.sizeOf(this.folder.pathOf(key));
    return sizeBytes === null ? null : { sizeBytes };
  }

  async delete(key: string): Promise<void> {
    const path = this.folder.pathOf(key);
    await withStoreErrors(async () => {
      const deleted = await nullIfMissing(unlink(path).then(() => true));
      this.files.forget(path);
      if (deleted) await syncFolder(dirname(path));
    });
  }

  async *list(prefix: string): AsyncGenerator<BlobListing> {
    assertBlobPrefix(prefix);
    for await (const key of this.keysIn('', prefix)) {
      const found = await withStoreErrors(() => nullIfMissing(stat(this.folder.pathOf(key))));
      if (found) yield { key, sizeBytes: found.size, modifiedAt: found.mtime };
    }
  }

  /** Writes, links and removes a temporary file: checks that the disk is mounted, writable, not full, and supports hard links. */
  async check(): Promise<void> {
    await this.folder.writeTemporary(async (file, temporary) => {
      await withStoreErrors(async () => {
        await file.write('check');
        await link(temporary, `${temporary}.check`);
        await unlink(`${temporary}.check`);
      });
    });
  }

  /** The room of the file system. */
  room(): Promise<Room> {
    return this.folder.room.read();
  }

  /** @throws AppError storage_backend_unavailable when fewer than `bytes` can be written. */
  requireRoom(bytes: number): Promise<void> {
    return this.folder.room.require(bytes);
  }

  /**
   * Removes temporary files that were last written before `olderThan`. A running upload touches its file with every block, so `olderThan`
   * must be further back than the longest pause of an upload.
   * @returns the number of files removed.
   */
  sweepTemporary(olderThan: Date): Promise<number> {
    return this.folder.sweepTemporary(olderThan);
  }

  private async *keysIn(folder: string, prefix: string): AsyncGenerator<string> {
    const entries = await withStoreErrors(() => nullIfMissing(opendir(join(this.folder.root, folder))));
    for await (const entry of entries ?? []) {
      const path = `${folder}${entry.name}`;
      if (entry.isDirectory() && !entry.name.startsWith('.')) {
        const inside = `${path}/`;
        if (inside.startsWith(prefix) || prefix.startsWith(inside)) yield* this.keysIn(inside, prefix);
      } else if (entry.name.endsWith(SUFFIX) && path.startsWith(prefix)) {
        yield path.slice(0, -SUFFIX.length);
      }
    }
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
