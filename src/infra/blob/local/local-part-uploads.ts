import { constants, type FileHandle, link, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable } from 'node:stream';
import { AppError } from '#kernel/errors/app-error';
import {
  alreadyStored,
  type AssembledBlob,
  assertBlobKey,
  type BlobHead,
  type BlobWriteOptions,
  type PartUploads,
  type SentPart,
  type UploadPart,
} from '../blob-store';
import { areSameParts, partSizeMismatch, partsMismatch, rejectLonger, totalBytes } from '../part-uploads';
import { pageAligned } from '../streams/block-pool';
import { writeFully } from '../streams/block-writer';
import { SyncedFile } from './direct-file';
import { scanFile } from './file-io';
import { codeOf, type LocalFolder, nullIfMissing, orNotFound, syncFolder, withStoreErrors } from './local-folder';

/** Keys have no dots, so no key clashes with this folder. */
const PARTS = '.parts';
/** The file in which each part has its place. */
const WHOLE = 'whole';
const CLAIMED = '.claimed';
const PLACED = '.placed';
const COPY_BYTES = 512 * 1024;

/** A part that has arrived: at its place in the whole file, or in a file of its own. */
interface ArrivedPart extends UploadPart {
  readonly isPlaced: boolean;
}

/**
 * Stores the parts of an upload in the folder `.parts/<key>.parts`, each at its place in the file `whole`, which becomes the blob without a
 * copy when all parts have arrived.
 *
 * A part that is still being sent must not change bytes that were already verified, also not by another process. So each place has one
 * writer: the creator of the empty file `<number>.claimed`, which is linked to `<number>.placed` when the part is complete and synced. A
 * failed writer deletes its claim. The claim of a killed process stays, because another process cannot know whether it still writes. A part
 * whose place is claimed, or that is sent again, goes to a temporary file that is renamed to `<number>`; `complete` then copies all parts.
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
    part: SentPart,
    source: Readable,
    options: BlobWriteOptions = {},
  ): Promise<BlobHead> {
    source.on('error', () => undefined);
    try {
      const path = this.pathOf(key);
      options.signal?.throwIfAborted();
      const limited = { ...options, onChunk: rejectLonger(part, options) };
      const claim = await this.claim(path, part);
      if (claim) await this.writeInPlace(path, part, claim, (file) => this.copy(source, file, part, limited));
      else await this.writeBeside(path, part, (file) => this.copy(source, file, { ...part, offset: 0 }, limited));
      return { sizeBytes: part.sizeBytes };
    } catch (error) {
      source.destroy();
      throw error;
    }
  }

  async isOpen(key: string): Promise<boolean> {
    return (await withStoreErrors(() => nullIfMissing(stat(this.pathOf(key))))) !== null;
  }

  async listParts(key: string): Promise<readonly UploadPart[]> {
    return (await this.arrivedParts(key)).map(({ partNumber, sizeBytes }) => ({ partNumber, sizeBytes }));
  }

  /** A part that is not at its place has bytes there that do not count, and `complete` then says so. */
  async scanPart(key: string, { offset, sizeBytes }: SentPart, onChunk: (chunk: Buffer) => void): Promise<void> {
    const path = join(this.pathOf(key), WHOLE);
    await withStoreErrors(async () => {
      const whole = orNotFound(await nullIfMissing(open(path, 'r')), 'upload');
      try {
        await scanFile(whole, onChunk, { start: offset, end: offset + sizeBytes });
      } finally {
        await whole.close();
      }
    });
  }

  async complete(key: string, _uploadId: string, parts: readonly UploadPart[]): Promise<AssembledBlob> {
    const blob = this.folder.pathOf(key);
    const sizeBytes = totalBytes(parts);
    let isAsScanned = false;
    try {
      if ((await this.folder.sizeOf(blob)) !== null) throw alreadyStored();
      isAsScanned = await this.assemble(key, blob, parts);
    } catch (error) {
      // An earlier or concurrent call has completed the upload.
      if ((await this.folder.sizeOf(blob)) !== sizeBytes) throw error;
    }
    await this.abort(key);
    return { sizeBytes, isAsScanned };
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

  /** Claims the place of a part. Null when it was claimed before. @throws AppError not_found when the upload has no folder. */
  private claim(path: string, { partNumber }: UploadPart): Promise<FileHandle | null> {
    return withStoreErrors(async () => {
      try {
        return await open(join(path, `${partNumber}${CLAIMED}`), 'wx', 0o640);
      } catch (error) {
        if (codeOf(error) === 'EEXIST') return null;
        throw codeOf(error) === 'ENOENT' ? AppError.notFound('upload') : error;
      }
    });
  }

  private async writeInPlace(
    path: string,
    part: SentPart,
    claim: FileHandle,
    copy: (file: FileHandle) => Promise<void>,
  ): Promise<void> {
    const [claimed, placed] = [CLAIMED, PLACED].map((suffix) => join(path, `${part.partNumber}${suffix}`));
    try {
      const opened = open(join(path, WHOLE), constants.O_RDWR | constants.O_CREAT, 0o640);
      const whole = orNotFound(await withStoreErrors(() => nullIfMissing(opened)), 'upload');
      // `close` waits for pending writes.
      await copy(whole).finally(() => whole.close());
      // The size of the part is read from here. The file occupies no space.
      await withStoreErrors(() => claim.truncate(part.sizeBytes));
    } catch (error) {
      await unlink(claimed!).catch(() => undefined);
      throw error;
    } finally {
      await claim.close();
    }
    await withStoreErrors(async () => {
      orNotFound(await nullIfMissing(link(claimed!, placed!).then(() => true)), 'upload');
      await syncFolder(path);
    });
  }

  private writeBeside(
    path: string,
    { partNumber }: UploadPart,
    copy: (file: FileHandle) => Promise<void>,
  ): Promise<void> {
    return this.folder.writeTemporary(async (file, temporary) => {
      await copy(file);
      await withStoreErrors(async () => {
        const renamed = rename(temporary, join(path, String(partNumber))).then(() => true);
        orNotFound(await nullIfMissing(renamed), 'upload');
        await syncFolder(path);
      });
    });
  }

  /** Writes a part at an offset of a file, and syncs it. */
  private async copy(source: Readable, file: FileHandle, part: SentPart, options: BlobWriteOptions): Promise<void> {
    const sizeBytes = await this.folder.copy(source, file, options, part.offset);
    if (sizeBytes !== part.sizeBytes) throw partSizeMismatch(part);
  }

  /** The parts that have arrived, by number. A part that is both in its place and in a file of its own is newer in the file of its own. */
  private arrivedParts(key: string): Promise<readonly ArrivedPart[]> {
    const path = this.pathOf(key);
    return withStoreErrors(async () => {
      const names = (await nullIfMissing(readdir(path))) ?? [];
      const arrived = new Map<number, ArrivedPart>();
      for (const suffix of [PLACED, '']) {
        for (const name of names.filter((each) => each === `${Number.parseInt(each, 10)}${suffix}`)) {
          const partNumber = Number.parseInt(name, 10);
          const file = await nullIfMissing(stat(join(path, name)));
          if (file) arrived.set(partNumber, { partNumber, sizeBytes: file.size, isPlaced: suffix === PLACED });
        }
      }
      return [...arrived.values()].sort((a, b) => a.partNumber - b.partNumber);
    });
  }

  /** @returns whether the blob is the file in which every part has its place, and not a copy. */
  private async assemble(key: string, blob: string, parts: readonly UploadPart[]): Promise<boolean> {
    const arrived = await this.arrivedParts(key);
    if (!areSameParts(arrived, parts)) throw partsMismatch();
    const path = this.pathOf(key);
    if (arrived.every(({ isPlaced }) => isPlaced)) {
      const published = this.folder.publish(join(path, WHOLE), blob).then(() => true);
      if ((await withStoreErrors(() => nullIfMissing(published))) === null) throw partsMismatch();
      return true;
    }
    await this.folder.room.require(totalBytes(arrived));
    await this.folder.writeTemporary((file, temporary) =>
      withStoreErrors(async () => {
        await copyParts(path, arrived, new SyncedFile(file));
        await this.folder.publish(temporary, blob);
      }),
    );
    return false;
  }

  private pathOf(key: string): string {
    assertBlobKey(key);
    return join(this.folder.root, PARTS, `${key}${PARTS}`);
  }
}

/** Copies all parts to another file, and syncs it. */
async function copyParts(path: string, parts: readonly ArrivedPart[], synced: SyncedFile): Promise<void> {
  const block = pageAligned(COPY_BYTES);
  let position = 0;
  try {
    for (const part of parts) {
      await copyPart(path, part, { synced, position, block });
      position += part.sizeBytes;
    }
    await synced.sync();
  } finally {
    await synced.close();
  }
}

/** Copies a part to its position in another file. */
async function copyPart(
  path: string,
  { partNumber, sizeBytes, isPlaced }: ArrivedPart,
  { synced, position, block }: { readonly synced: SyncedFile; readonly position: number; readonly block: Buffer },
): Promise<void> {
  const file = await nullIfMissing(open(join(path, isPlaced ? WHOLE : String(partNumber)), 'r'));
  if (!file) throw partsMismatch();
  const start = isPlaced ? position : 0;
  try {
    for (let copied = 0; copied < sizeBytes;) {
      const length = Math.min(block.length, sizeBytes - copied);
      const { bytesRead } = await file.read(block, 0, length, start + copied);
      if (bytesRead === 0) throw partsMismatch();
      await writeFully(synced, block, bytesRead, position + copied);
      copied += bytesRead;
    }
  } finally {
    await file.close();
  }
}
