import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable } from 'node:stream';
import {
  alreadyStored,
  assertBlobKey,
  type BlobHead,
  type BlobWriteOptions,
  type PartUploads,
  type UploadPart,
} from '../blob-store';
import { writeFully } from '../streams/block-writer';
import { SyncedFile } from './file-io';
import { type LocalFolder, nullIfMissing, orNotFound, syncFolder, withStoreErrors } from './local-folder';
import { areSameParts, partSizeMismatch, partsMismatch, rejectLonger, totalBytes } from '../part-uploads';

/** Keys have no dots, so no key clashes with this folder. */
const PARTS = '.parts';
const COPY_BYTES = 512 * 1024;

/**
 * Stores parts as files `.parts/<key>.parts/<number>`. Each part is written to a temporary file, synced and renamed, so only complete parts
 * are visible. `complete` copies them into the blob; a single part becomes the blob without a copy. Writing parts directly into one file
 * would save the copy, but a part that is still being sent could then change a blob that has already been verified.
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
          const renamed = rename(temporary, this.partPathOf(key, part.partNumber)).then(() => true);
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
    const [only, ...others] = parts;
    if (only && others.length === 0) return this.publishPart(key, only, blob);
    await this.folder.writeTemporary((file, temporary) =>
      withStoreErrors(async () => {
        const synced = new SyncedFile(file);
        const block = Buffer.allocUnsafeSlow(COPY_BYTES);
        let position = 0;
        for (const part of parts) position += await this.copyPart(key, part, { synced, position, block });
        await synced.sync();
        await this.folder.publish(temporary, blob);
      }),
    );
  }

  /** The file of the part becomes the blob. Sending the part again replaces the name of the part, and does not change its file. */
  private async publishPart(key: string, { partNumber }: UploadPart, blob: string): Promise<void> {
    const published = this.folder.publish(this.partPathOf(key, partNumber), blob).then(() => true);
    if ((await withStoreErrors(() => nullIfMissing(published))) === null) throw partsMismatch();
  }

  /** @returns the number of bytes. */
  private async copyPart(
    key: string,
    { partNumber, sizeBytes }: UploadPart,
    { synced, position, block }: { readonly synced: SyncedFile; readonly position: number; readonly block: Buffer },
  ): Promise<number> {
    const file = await nullIfMissing(open(this.partPathOf(key, partNumber), 'r'));
    if (!file) throw partsMismatch();
    try {
      let copied = 0;
      for (let bytes = -1; bytes !== 0; copied += bytes) {
        bytes = (await file.read(block, 0, block.length, copied)).bytesRead;
        await writeFully(synced, block, bytes, position + copied);
      }
      if (copied !== sizeBytes) throw partsMismatch();
      return copied;
    } finally {
      await file.close();
    }
  }

  private partPathOf(key: string, partNumber: number): string {
    return join(this.pathOf(key), String(partNumber));
  }

  private pathOf(key: string): string {
    assertBlobKey(key);
    return join(this.folder.root, PARTS, `${key}${PARTS}`);
  }
}
