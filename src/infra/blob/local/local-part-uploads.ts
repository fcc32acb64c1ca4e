import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  alreadyStored,
  assertBlobKey,
  type BlobHead,
  type BlobWriteOptions,
  type PartUploads,
  type UploadPart,
} from '../blob-store';
import { type LocalFolder, nullIfMissing, orNotFound, syncFolder, withStoreErrors } from './local-folder';
import { areSameParts, partSizeMismatch, partsMismatch, rejectLonger, totalBytes } from '../part-uploads';

/** Keys have no dots, so no key clashes with this folder. */
const PARTS = '.parts';
const READ_AHEAD_BYTES = 256 * 1024;

/**
 * Stores parts as files `.parts/<key>.parts/<number>`. Each part is written to a temporary file, synced and renamed, so only complete parts
 * are visible. `complete` copies them into the blob. Writing them directly into one file would save that copy, but a part that is still
 * being sent could then change a blob that has already been verified.
 *
 * A key is used once, so the key identifies the upload, and the upload id is a constant.
 */
export class LocalPartUploads implements PartUploads {
  constructor(private readonly folder: LocalFolder) {}

  async begin(key: string): Promise<string> {
    const path = this.pathOf(key);
    await withStoreErrors(() => this.folder.makeFolder(path));
    return 'local';
  }

  async writePart(
    key: string,
    _uploadId: string,
    part: UploadPart,
    source: Readable,
    options: BlobWriteOptions = {},
  ): Promise<BlobHead> {
    source.on('error', () => undefined);
    try {
      const path = this.pathOf(key);
      options.signal?.throwIfAborted();
      return await this.folder.writeTemporary(async (file, temporary) => {
        const sizeBytes = await this.folder.copy(source, file, { ...options, onChunk: rejectLonger(part, options) });
        if (sizeBytes !== part.sizeBytes) throw partSizeMismatch(part);
        await withStoreErrors(async () => {
          const renamed = rename(temporary, join(path, String(part.partNumber))).then(() => true);
          orNotFound(await nullIfMissing(renamed), 'upload');
          await syncFolder(path);
        });
        return { sizeBytes };
      });
    } catch (error) {
      source.destroy();
      throw error;
    }
  }

  async listParts(key: string): Promise<readonly UploadPart[]> {
    const path = this.pathOf(key);
    return withStoreErrors(async () => {
      const names = (await nullIfMissing(readdir(path))) ?? [];
      const found = await Promise.all(names.map((name) => nullIfMissing(stat(join(path, name)))));
      return names
        .map((name, index) => ({ partNumber: Number(name), sizeBytes: found[index]?.size ?? 0 }))
        .sort((a, b) => a.partNumber - b.partNumber);
    });
  }

  async complete(key: string, _uploadId: string, parts: readonly UploadPart[]): Promise<BlobHead> {
    const blob = this.folder.pathOf(key);
    const sizeBytes = totalBytes(parts);
    try {
      if ((await this.folder.sizeOf(blob)) !== null) throw alreadyStored();
      await this.assemble(key, blob, parts);
    } catch (error) {
      // An earlier or concurrent call has completed the upload.
      if ((await this.folder.sizeOf(blob)) !== sizeBytes) throw error;
    }
    await this.abort(key);
    return { sizeBytes };
  }

  async abort(key: string): Promise<void> {
    const path = this.pathOf(key);
    await withStoreErrors(async () => {
      // The rename is atomic: a part that arrives now fails, because the folder is gone.
      const aside = await this.folder.newTemporary();
      await nullIfMissing(rename(path, aside));
      await rm(aside, { recursive: true, force: true });
    });
  }

  private async assemble(key: string, blob: string, parts: readonly UploadPart[]): Promise<void> {
    if (!areSameParts(await this.listParts(key), parts)) throw partsMismatch();
    await this.folder.writeTemporary((file, temporary) =>
      withStoreErrors(async () => {
        await this.folder.copy(Readable.from(this.contentOf(key, parts), { objectMode: false }), file, {});
        await this.folder.publish(temporary, blob);
      }),
    );
  }

  private async *contentOf(key: string, parts: readonly UploadPart[]): AsyncGenerator<Buffer> {
    for (const { partNumber, sizeBytes } of parts) {
      const file = await nullIfMissing(open(join(this.pathOf(key), String(partNumber)), 'r'));
      if (!file) throw partsMismatch();
      const stream = file.createReadStream({ highWaterMark: READ_AHEAD_BYTES });
      let missingBytes = sizeBytes;
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        missingBytes -= chunk.length;
        yield chunk;
      }
      if (missingBytes !== 0) throw partsMismatch();
    }
  }

  private pathOf(key: string): string {
    assertBlobKey(key);
    return join(this.folder.root, PARTS, `${key}${PARTS}`);
  }
}
