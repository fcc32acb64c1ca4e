import { randomUUID } from 'node:crypto';
import { type Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { AppError } from '#kernel/errors/app-error';
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
import { type S3Description } from '../store-description';
import { type PartSupply } from '../streams/part-buffer';
import { readBlock } from '../streams/read-block';
import { type NewBlob, PartBuffers, writeInParts } from '../streams/write-in-parts';
import { S3Bucket } from './s3-bucket';
import { s3Unavailable } from './s3-errors';
import { S3PartUploads } from './s3-part-uploads';

/** The key that `check` writes and deletes. */
const CHECK_KEY = 'check';

/**
 * Stores blobs as objects of an S3 bucket: a short blob with one `PutObject`, a longer one with a multipart upload. Both fail when the key
 * exists (`If-None-Match: *`). A killed process leaves an incomplete multipart upload, which is invisible; the bucket's lifecycle rule
 * removes it.
 */
export class S3BlobStore implements BlobStore {
  readonly parts: PartUploads;
  private readonly bucket: S3Bucket;

  constructor(
    description: S3Description,
    agents: OutgoingAgents,
    private readonly blocks: PartSupply = new PartBuffers().supply(true),
  ) {
    this.bucket = new S3Bucket(description, agents);
    this.parts = new S3PartUploads(this.bucket, blocks);
  }

  async write(key: string, source: Readable, options: BlobWriteOptions = {}): Promise<BlobHead> {
    // The source may fail before the pipeline listens to it.
    source.on('error', () => undefined);
    try {
      assertBlobKey(key);
      options.signal?.throwIfAborted();
      if (await this.bucket.headOf(key)) throw alreadyStored();
      return await writeInParts(source, options, new NewObject(this.bucket, key), this.blocks);
    } catch (error) {
      source.destroy();
      throw error;
    }
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    assertBlobKey(key);
    const Range = range && `bytes=${range.start}-${range.end}`;
    const found = await this.bucket.sendOrNull((client, options) =>
      client.send(new GetObjectCommand({ Bucket: this.bucket.name, Key: key, Range }), options),
    );
    if (!found) throw AppError.notFound('blob');
    return found.Body as Readable;
  }

  readBlock(key: string, offset: number, length: number, signal?: AbortSignal): Promise<Buffer> {
    const read = (range: ByteRange): Promise<Readable> => this.read(key, range);
    return readBlock({ read, unavailable: s3Unavailable }, offset, length, signal);
  }

  async head(key: string): Promise<BlobHead | null> {
    assertBlobKey(key);
    const found = await this.bucket.headOf(key);
    return found ? { sizeBytes: found.ContentLength ?? 0 } : null;
  }

  async delete(key: string): Promise<void> {
    assertBlobKey(key);
    await this.bucket.sendOrNull((client, options) =>
      client.send(new DeleteObjectCommand({ Bucket: this.bucket.name, Key: key }), options),
    );
  }

  async *list(prefix: string): AsyncGenerator<BlobListing> {
    assertBlobPrefix(prefix);
    let ContinuationToken: string | undefined;
    do {
      const page = await this.listPage({ Prefix: prefix, ContinuationToken });
      for (const { Key = '', Size = 0, LastModified = new Date(0) } of page.Contents ?? []) {
        yield { key: Key, sizeBytes: Size, modifiedAt: LastModified };
      }
      ContinuationToken = page.NextContinuationToken;
    } while (ContinuationToken);
  }

  async signedUrl(key: string, { expiresInSeconds, ...file }: SignedUrlOptions): Promise<string> {
    assertBlobKey(key);
    const headers = downloadHeaders(file);
    const command = new GetObjectCommand({
      Bucket: this.bucket.name,
      Key: key,
      ResponseContentDisposition: headers.contentDisposition,
      ResponseContentType: headers.contentType,
      ResponseCacheControl: headers.cacheControl,
    });
    return this.bucket.send((client) => getSignedUrl(client, command, { expiresIn: expiresInSeconds }));
  }

  /** Writes, lists and deletes one key. Safe when several processes do so concurrently. */
  async check(): Promise<void> {
    const at = { Bucket: this.bucket.name, Key: CHECK_KEY };
    await this.bucket.sendSmall((client, options) =>
      client.send(new PutObjectCommand({ ...at, Body: 'check' }), options),
    );
    await this.listPage({ Prefix: CHECK_KEY, MaxKeys: 1 });
    await this.delete(CHECK_KEY);
  }

  private listPage(query: { Prefix: string; ContinuationToken?: string; MaxKeys?: number }) {
    return this.bucket.sendSmall((client, options) =>
      client.send(new ListObjectsV2Command({ Bucket: this.bucket.name, ...query }), options),
    );
  }
}

/** An object that is being written. */
class NewObject implements NewBlob {
  private readonly writeId = randomUUID();
  private readonly etags = new Map<number, string | undefined>();
  private upload: Promise<string> | undefined;
  /** Whether the object may have been created. */
  private mayExist = false;

  constructor(
    private readonly bucket: S3Bucket,
    private readonly key: string,
  ) {}

  async putWhole(bytes: Buffer, abortSignal: AbortSignal): Promise<void> {
    this.mayExist = true;
    const put = { ...this.at, Body: bytes, ContentType: BINARY, Metadata: this.bucket.metadataOf(this.writeId) };
    await this.bucket.create(this.key, this.writeId, (condition) =>
      this.bucket.client.send(new PutObjectCommand({ ...put, ...condition }), { abortSignal }),
    );
  }

  async putPart(partNumber: number, bytes: Buffer, abortSignal: AbortSignal): Promise<void> {
    const UploadId = await (this.upload ??= this.begin());
    const part = { ...this.at, UploadId, PartNumber: partNumber, Body: bytes };
    const { ETag } = await this.bucket.send((client) => client.send(new UploadPartCommand(part), { abortSignal }));
    this.etags.set(partNumber, ETag);
  }

  async finish(partCount: number): Promise<void> {
    this.mayExist = true;
    const UploadId = await this.upload;
    const Parts = Array.from({ length: partCount }, (_, index) => ({
      PartNumber: index + 1,
      ETag: this.etags.get(index + 1),
    }));
    const complete = { ...this.at, UploadId, MultipartUpload: { Parts } };
    await this.bucket.create(this.key, this.writeId, (condition) =>
      this.bucket.client.send(new CompleteMultipartUploadCommand({ ...complete, ...condition })),
    );
  }

  async rollBack(): Promise<void> {
    const UploadId = await this.upload?.catch(() => undefined);
    if (UploadId !== undefined) {
      await this.bucket.sendOrNull((client, options) =>
        client.send(new AbortMultipartUploadCommand({ ...this.at, UploadId }), options),
      );
    }
    if (this.mayExist && (await this.bucket.writeIdOf(this.key)) === this.writeId) {
      await this.bucket.sendSmall((client, options) => client.send(new DeleteObjectCommand(this.at), options));
    }
  }

  private async begin(): Promise<string> {
    const create = { ...this.at, ContentType: BINARY, Metadata: this.bucket.metadataOf(this.writeId) };
    const { UploadId } = await this.bucket.sendSmall((client, options) =>
      client.send(new CreateMultipartUploadCommand(create), options),
    );
    return UploadId as string;
  }

  private get at() {
    return { Bucket: this.bucket.name, Key: this.key };
  }
}

const BINARY = 'application/octet-stream';
