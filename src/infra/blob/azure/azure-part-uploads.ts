import { type Readable } from 'node:stream';
import { BlobSASPermissions, SASProtocol } from '@azure/storage-blob';
import { type Clock } from '#kernel/context/clock';
import { AppError } from '#kernel/errors/app-error';
import { assertBlobKey, type BlobHead, type BlobWriteOptions, type PartUploads, type UploadPart } from '../blob-store';
import { areSameParts, partsMismatch, totalBytes } from '../part-uploads';
import { type PartSupply, sendBufferedPart } from '../streams/part-buffer';
import { type AzureContainer, blockIdOf, IF_ABSENT, partNumberOf } from './azure-container';
import { azureUnavailable } from './azure-errors';

/** Keys have no dots, so no key clashes with this prefix. */
export const STAGING = '.incoming/';
/** The interval of status requests. Most copies within one account complete immediately. */
const COPY_POLL_MS = 500;
/** The timeout of a copy. */
const COPY_TIMEOUT_MS = 15 * 60_000;

/**
 * Stores parts as uncommitted blocks of the blob `.incoming/<key>`. `complete` commits that blob and copies it to its key inside the store.
 * Parts are not staged under the key itself, because a URL that may stage a block may also overwrite the whole blob.
 *
 * A key is used once, so the key identifies the upload, and the upload id is a constant.
 */
export class AzurePartUploads implements PartUploads {
  /** A URL that may stage a block may also create a blob `.incoming/<key>` later. */
  readonly acceptsLateParts = true;

  constructor(
    private readonly container: AzureContainer,
    private readonly clock: Clock,
    private readonly blocks: PartSupply,
  ) {}

  begin(key: string): Promise<string> {
    return new Promise((resolve) => {
      assertBlobKey(key);
      resolve('azure');
    });
  }

  async signedPartUrl(key: string, _uploadId: string, part: UploadPart, expiresInSeconds: number): Promise<string> {
    const blob = this.staging(key);
    const signed = await this.container.send(() =>
      blob.generateSasUrl({
        permissions: BlobSASPermissions.from({ write: true }),
        expiresOn: new Date(this.clock.now().getTime() + expiresInSeconds * 1000),
        protocol: blob.url.startsWith('https:') ? SASProtocol.Https : SASProtocol.HttpsAndHttp,
      }),
    );
    return `${signed}&comp=block&blockid=${encodeURIComponent(blockIdOf(part.partNumber))}`;
  }

  async writePart(
    key: string,
    _uploadId: string,
    part: UploadPart,
    source: Readable,
    options?: BlobWriteOptions,
  ): Promise<BlobHead> {
    source.on('error', () => undefined);
    try {
      const blob = this.staging(key);
      await sendBufferedPart(part, source, { options, blocks: this.blocks }, (bytes, abortSignal) =>
        this.container.send(() => blob.stageBlock(blockIdOf(part.partNumber), bytes, bytes.length, { abortSignal })),
      );
      return { sizeBytes: part.sizeBytes };
    } catch (error) {
      source.destroy();
      throw error;
    }
  }

  async listParts(key: string): Promise<readonly UploadPart[]> {
    const blob = this.staging(key);
    const found = await this.container.sendOrNull((options) => blob.getBlockList('all', options));
    const sizes = new Map<number, number>();
    for (const { name, size } of [...(found?.committedBlocks ?? []), ...(found?.uncommittedBlocks ?? [])]) {
      sizes.set(partNumberOf(name), size);
    }
    return [...sizes].map(([partNumber, sizeBytes]) => ({ partNumber, sizeBytes })).sort(byNumber);
  }

  async complete(key: string, _uploadId: string, parts: readonly UploadPart[]): Promise<BlobHead> {
    assertBlobKey(key);
    const sizeBytes = totalBytes(parts);
    try {
      if (!areSameParts(await this.listParts(key), parts)) throw partsMismatch();
      await this.assemble(key, parts);
      await this.requireSize(key, sizeBytes);
    } catch (error) {
      // An earlier or concurrent call has completed the upload.
      if ((await this.container.propertiesOf(key))?.contentLength !== sizeBytes) throw azureUnavailable(error);
    }
    await this.abort(key);
    return { sizeBytes };
  }

  async abort(key: string): Promise<void> {
    const blob = this.staging(key);
    await this.container.sendSmall((options) => blob.commitBlockList([], options));
    await this.container.sendOrNull((options) => blob.delete({ ...options, deleteSnapshots: 'include' }));
  }

  private async assemble(key: string, parts: readonly UploadPart[]): Promise<void> {
    const staging = this.staging(key);
    await staging.commitBlockList(parts.map(({ partNumber }) => blockIdOf(partNumber)));
    const blob = this.container.blob(key);
    const options = {
      conditions: IF_ABSENT,
      intervalInMs: COPY_POLL_MS,
      abortSignal: AbortSignal.timeout(COPY_TIMEOUT_MS),
    };
    const copy = await blob.beginCopyFromURL(staging.url, options);
    const { copyStatus } = await copy.pollUntilDone();
    if (copyStatus === 'success') return;
    await this.container.sendOrNull((options) => blob.delete(options));
    throw new AppError('storage_backend_unavailable', { cause: `the copy of ${key} ended as ${copyStatus}` });
  }

  /** The holder of a presigned URL may have replaced the content of `.incoming/<key>` since its parts were listed. */
  private async requireSize(key: string, sizeBytes: number): Promise<void> {
    const found = await this.container.propertiesOf(key);
    if (found?.contentLength === sizeBytes) return;
    await this.container.sendOrNull((options) => this.container.blob(key).delete(options));
    throw partsMismatch();
  }

  private staging(key: string) {
    assertBlobKey(key);
    return this.container.blob(`${STAGING}${key}`);
  }
}

const byNumber = (a: UploadPart, b: UploadPart): number => a.partNumber - b.partNumber;
