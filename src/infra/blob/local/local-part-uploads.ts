import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { alreadyStored, assertBlobKey, type BlobHead, type BlobWriteOptions } from '../blob-store';
import { existing, guarded, type LocalFolder, syncFolder, unlessMissing } from './local-folder';
import {
  areSameParts,
  type PartUploads,
  partSizeMismatch,
  partsMismatch,
  refuseLonger,
  totalBytes,
  type UploadPart,
} from '../part-uploads';

/** Has a dot, which no key can, so it never stands in the way of one. */
const PARTS = '.parts';
const READ_AHEAD_BYTES = 256 * 1024;

/**
 * Parts as files `.parts/<key>.parts/<number>`: each is written aside, synced and renamed to its place, so that only whole ones are
 * there. They are copied into the blob when the last has arrived. To write them into one file at once would save that copy,
 * but a part that is still being sent could then change a blob that was already checked.
 *
 * The key is used once, so it names the upload, too; the folder stands for it.
 */
export class LocalPartUploads implements PartUploads {
  constructor(private readonly folder: LocalFolder) {}

  async begin(key: string): Promise<string> {
    const path = this.pathOf(key);
    await guarded(() => this.folder.makeFolder(path));
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
        const sizeBytes = await this.folder.copy(source, file, { ...options, onChunk: refuseLonger(part, options) });
        if (sizeBytes !== part.sizeBytes) throw partSizeMismatch(part);
        await guarded(async () => {
          const placed = rename(temporary, join(path, String(part.partNumber))).then(() => true);
          existing(await unlessMissing(placed), 'upload');
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
    return guarded(async () => {
      const names = (await unlessMissing(readdir(path))) ?? [];
      const found = await Promise.all(names.map((name) => unlessMissing(stat(join(path, name)))));
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
      // Whoever was here before, or at the same time, has done it.
      if ((await this.folder.sizeOf(blob)) !== sizeBytes) throw error;
    }
    await this.abort(key);
    return { sizeBytes };
  }

  async abort(key: string): Promise<void> {
    const path = this.pathOf(key);
    await guarded(async () => {
      // Out of the way first, in one step: a part that arrives now finds no place.
      const aside = await this.folder.newTemporary();
      await unlessMissing(rename(path, aside));
      await rm(aside, { recursive: true, force: true });
    });
  }

  private async assemble(key: string, blob: string, parts: readonly UploadPart[]): Promise<void> {
    if (!areSameParts(await this.listParts(key), parts)) throw partsMismatch();
    await this.folder.writeTemporary((file, temporary) =>
      guarded(async () => {
        await this.folder.copy(Readable.from(this.contentOf(key, parts), { objectMode: false }), file, {});
        await this.folder.publish(temporary, blob);
      }),
    );
  }

  private async *contentOf(key: string, parts: readonly UploadPart[]): AsyncGenerator<Buffer> {
    for (const { partNumber, sizeBytes } of parts) {
      const file = await unlessMissing(open(join(this.pathOf(key), String(partNumber)), 'r'));
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
