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
  type SignedUrlOptions,
} from '../blob-store';
import { downloadHeaders } from '../download-headers';
import { type PartUploads } from '../part-uploads';
import { readBlock } from '../streams/read-block';
import { S3Bucket } from './s3-bucket';
import { s3Unavailable } from './s3-errors';
import { S3PartUploads } from './s3-part-uploads';
import { type S3Description } from '../store-description';
import { type NewBlob, writeInParts } from '../streams/write-in-parts';

/** Written and deleted by `check`. */
const CHECK_KEY = 'check';

/**
 * Blobs as objects of an S3 bucket. A short blob is one `PutObject`, a longer one a multipart upload, and both refuse a key that exists
 * (`If-None-Match: *`). What a killed process leaves are parts of an upload that was never completed: invisible, for the bucket's
 * lifecycle rule to remove.
 */
export class S3BlobStore implements BlobStore {
  readonly parts: PartUploads;
  private readonly bucket: S3Bucket;

  constructor(description: S3Description, agents: OutgoingAgents) {
    this.bucket = new S3Bucket(description, agents);
    this.parts = new S3PartUploads(this.bucket);
  }

  async write(key: string, source: Readable, options: BlobWriteOptions = {}): Promise<BlobHead> {
    // The source may fail before anyone else listens to it.
    source.on('error', () => undefined);
    try {
      assertBlobKey(key);
      options.signal?.throwIfAborted();
      if (await this.bucket.headOf(key)) throw alreadyStored();
      return await writeInParts(source, options, new NewObject(this.bucket, key));
    } catch (error) {
      source.destroy();
      throw error;
    }
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    assertBlobKey(key);
    const Range = range && `bytes=${range.start}-${range.end}`;
    const found = await this.bucket.quickOrNull((client, options) =>
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
    await this.bucket.quickOrNull((client, options) =>
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
    return this.bucket.long((client) => getSignedUrl(client, command, { expiresIn: expiresInSeconds }));
  }

  /** Writes, lists and deletes; none minds that another process does the same. */
  async check(): Promise<void> {
    const at = { Bucket: this.bucket.name, Key: CHECK_KEY };
    await this.bucket.quick((client, options) => client.send(new PutObjectCommand({ ...at, Body: 'ready?' }), options));
    await this.listPage({ Prefix: CHECK_KEY, MaxKeys: 1 });
    await this.delete(CHECK_KEY);
  }

  private listPage(query: { Prefix: string; ContinuationToken?: string; MaxKeys?: number }) {
    return this.bucket.quick((client, options) =>
      client.send(new ListObjectsV2Command({ Bucket: this.bucket.name, ...query }), options),
    );
  }
}

/** An object on its way into the bucket. */
class NewObject implements NewBlob {
  private readonly writeId = randomUUID();
  private readonly etags = new Map<number, string | undefined>();
  private upload: Promise<string> | undefined;
  /** Whether the object may be there. */
  private asked = false;

  constructor(
    private readonly bucket: S3Bucket,
    private readonly key: string,
  ) {}

  async putWhole(bytes: Buffer, abortSignal: AbortSignal): Promise<void> {
    this.asked = true;
    const put = { ...this.at, Body: bytes, ContentType: BINARY, Metadata: this.bucket.metadataOf(this.writeId) };
    await this.bucket.makeNew(this.key, this.writeId, (onlyNew) =>
      this.bucket.client.send(new PutObjectCommand({ ...put, ...onlyNew }), { abortSignal }),
    );
  }

  async putPart(partNumber: number, bytes: Buffer, abortSignal: AbortSignal): Promise<void> {
    const UploadId = await (this.upload ??= this.begin());
    const part = { ...this.at, UploadId, PartNumber: partNumber, Body: bytes };
    const { ETag } = await this.bucket.long((client) => client.send(new UploadPartCommand(part), { abortSignal }));
    this.etags.set(partNumber, ETag);
  }

  async finish(partCount: number): Promise<void> {
    this.asked = true;
    const UploadId = await this.upload;
    const Parts = Array.from({ length: partCount }, (_, index) => ({
      PartNumber: index + 1,
      ETag: this.etags.get(index + 1),
    }));
    const complete = { ...this.at, UploadId, MultipartUpload: { Parts } };
    await this.bucket.makeNew(this.key, this.writeId, (onlyNew) =>
      this.bucket.client.send(new CompleteMultipartUploadCommand({ ...complete, ...onlyNew })),
    );
  }

  async undo(): Promise<void> {
    const UploadId = await this.upload?.catch(() => undefined);
    if (UploadId !== undefined) {
      await this.bucket.quickOrNull((client, options) =>
        client.send(new AbortMultipartUploadCommand({ ...this.at, UploadId }), options),
      );
    }
    if (this.asked && (await this.bucket.writeIdOf(this.key)) === this.writeId) {
      await this.bucket.quick((client, options) => client.send(new DeleteObjectCommand(this.at), options));
    }
  }

  private async begin(): Promise<string> {
    const create = { ...this.at, ContentType: BINARY, Metadata: this.bucket.metadataOf(this.writeId) };
    const { UploadId } = await this.bucket.quick((client, options) =>
      client.send(new CreateMultipartUploadCommand(create), options),
    );
    return UploadId as string;
  }

  private get at() {
    return { Bucket: this.bucket.name, Key: this.key };
  }
}

const BINARY = 'application/octet-stream';
