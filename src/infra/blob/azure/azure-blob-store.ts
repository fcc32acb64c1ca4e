import { randomUUID } from 'node:crypto';
import { type Readable } from 'node:stream';
import {
  type BlobItem,
  BlobSASPermissions,
  type ContainerListBlobFlatSegmentResponse,
  SASProtocol,
} from '@azure/storage-blob';
import { AppError } from '#kernel/errors/app-error';
import { SystemClock } from '#infra/clock/system-clock';
import { type OutgoingAgents } from '#infra/network/outgoing-agents';
import {
  alreadyStored,
  assertBlobKey,
  assertBlobPrefix,
  type BlobHead,
  type BlobListing,
  type BlobStore,
  type BlobWriteOptions,
  type ByteRange,
  type PartUploads,
  type SignedUrlOptions,
} from '../blob-store';
import { downloadHeaders } from '../download-headers';
import { type AzureDescription } from '../store-description';
import { type PartSupply } from '../streams/part-buffer';
import { readBlock } from '../streams/read-block';
import { type NewBlob, PartBuffers, writeInParts } from '../streams/write-in-parts';
import { AzureContainer, blockIdOf, IF_ABSENT, isComplete } from './azure-container';
import { azureUnavailable } from './azure-errors';
import { AzurePartUploads, STAGING } from './azure-part-uploads';

/** The key that `check` writes and deletes. */
const CHECK_KEY = 'check';

/**
 * Stores blobs as block blobs of an Azure container. The blocks of a blob are committed together, on condition that the key does not exist.
 * A killed process leaves uncommitted blocks, which are invisible; Azure removes them after a week.
 */
export class AzureBlobStore implements BlobStore {
  readonly parts: PartUploads;
  private readonly container: AzureContainer;
  /** The store compares the expiry of presigned URLs with the real time. */
  private readonly clock = new SystemClock();

  constructor(
    description: AzureDescription,
    agents: OutgoingAgents,
    private readonly blocks: PartSupply = new PartBuffers().supply(true),
  ) {
    this.container = new AzureContainer(description, agents);
    this.parts = new AzurePartUploads(this.container, this.clock, blocks);
  }

  async write(key: string, source: Readable, options: BlobWriteOptions = {}): Promise<BlobHead> {
    // The source may fail before the pipeline listens to it.
    source.on('error', () => undefined);
    try {
      assertBlobKey(key);
      options.signal?.throwIfAborted();
      if (await this.container.propertiesOf(key)) throw alreadyStored();
      return await writeInParts(source, options, new NewBlockBlob(this.container, key), this.blocks);
    } catch (error) {
      source.destroy();
      throw error;
    }
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    assertBlobKey(key);
    const length = range && range.end - range.start + 1;
    const found = await this.container.sendOrNull((options) =>
      this.container.blob(key).download(range?.start, length, { ...options, maxRetryRequests: 0 }),
    );
    const stream = found?.readableStreamBody as Readable | undefined;
    if (!found || !stream) throw AppError.notFound('blob');
    if (isComplete(found.copyStatus)) return stream;
    stream.destroy();
    throw AppError.notFound('blob');
  }

  readBlock(key: string, offset: number, length: number, signal?: AbortSignal): Promise<Buffer> {
    const read = (range: ByteRange): Promise<Readable> => this.read(key, range);
    return readBlock({ read, unavailable: azureUnavailable }, offset, length, signal);
  }

  async head(key: string): Promise<BlobHead | null> {
    assertBlobKey(key);
    const found = await this.container.propertiesOf(key);
    return found ? { sizeBytes: found.contentLength ?? 0 } : null;
  }

  async delete(key: string): Promise<void> {
    assertBlobKey(key);
    await this.container.sendOrNull((options) =>
      this.container.blob(key).delete({ ...options, deleteSnapshots: 'include' }),
    );
  }

  async *list(prefix: string): AsyncGenerator<BlobListing> {
    assertBlobPrefix(prefix);
    for await (const blobs of this.pages(prefix)) {
      for (const { name, properties } of blobs) {
        if (name.startsWith(STAGING) || !isComplete(properties.copyStatus)) continue;
        yield { key: name, sizeBytes: properties.contentLength ?? 0, modifiedAt: properties.lastModified };
      }
    }
  }

  async signedUrl(key: string, { expiresInSeconds, expiresAt, ...file }: SignedUrlOptions): Promise<string> {
    assertBlobKey(key);
    const blob = this.container.blob(key);
    return this.container.send(() =>
      blob.generateSasUrl({
        permissions: BlobSASPermissions.from({ read: true }),
        expiresOn: expiresAt ?? new Date(this.clock.now().getTime() + expiresInSeconds * 1000),
        protocol: blob.url.startsWith('https:') ? SASProtocol.Https : SASProtocol.HttpsAndHttp,
        ...downloadHeaders(file),
      }),
    );
  }

  /** Writes, lists and deletes one key. Safe when several processes do so concurrently. */
  async check(): Promise<void> {
    const blob = this.container.blob(CHECK_KEY);
    await this.container.sendSmall((options) => blob.upload('check', 5, options));
    for await (const _page of this.pages(CHECK_KEY)) break;
    await this.delete(CHECK_KEY);
  }

  private async *pages(prefix: string): AsyncGenerator<readonly BlobItem[]> {
    let continuationToken: string | undefined;
    do {
      const page = await this.page(prefix, continuationToken);
      yield page.segment.blobItems;
      continuationToken = page.continuationToken;
    } while (continuationToken);
  }

  private async page(prefix: string, continuationToken?: string): Promise<ContainerListBlobFlatSegmentResponse> {
    return this.container.sendSmall(async (options) => {
      const listing = this.container.client.listBlobsFlat({ ...options, prefix, includeCopy: true });
      const page: IteratorResult<unknown> = await listing.byPage({ continuationToken }).next();
      return page.value as ContainerListBlobFlatSegmentResponse;
    });
  }
}

/** A blob that is being written. */
class NewBlockBlob implements NewBlob {
  private readonly writeId = randomUUID();
  private staged = false;
  /** Whether the blob may have been created. */
  private mayExist = false;

  constructor(
    private readonly container: AzureContainer,
    private readonly key: string,
  ) {}

  /** Sends the blob as a block, too: Azurite rejects `Put Blob` when another write has staged blocks under the key. */
  async putWhole(bytes: Buffer, abortSignal: AbortSignal): Promise<void> {
    if (bytes.length > 0) await this.putPart(1, bytes, abortSignal);
    await this.finish(bytes.length > 0 ? 1 : 0);
  }

  async putPart(partNumber: number, bytes: Buffer, abortSignal: AbortSignal): Promise<void> {
    this.staged = true;
    const blockId = blockIdOf(partNumber, this.writeId);
    await this.container.send(() => this.blob.stageBlock(blockId, bytes, bytes.length, { abortSignal }));
  }

  async finish(partCount: number): Promise<void> {
    this.mayExist = true;
    const blockIds = Array.from({ length: partCount }, (_, index) => blockIdOf(index + 1, this.writeId));
    const condition = {
      conditions: IF_ABSENT,
      metadata: this.container.metadataOf(this.writeId),
      blobHTTPHeaders: { blobContentType: 'application/octet-stream' },
    };
    await this.container.create(this.key, this.writeId, () => this.blob.commitBlockList(blockIds, condition));
  }

  async rollBack(): Promise<void> {
    if (this.mayExist && (await this.container.writeIdOf(this.key)) === this.writeId) {
      await this.container.sendOrNull((options) => this.blob.delete(options));
    }
    if (this.staged) await this.container.discardBlocks(this.key);
  }

  private get blob() {
    return this.container.blob(this.key);
  }
}
