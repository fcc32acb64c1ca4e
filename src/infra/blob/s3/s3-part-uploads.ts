import { type Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { AppError } from '#kernel/errors/app-error';
import { assertBlobKey, type BlobHead, type BlobWriteOptions, type PartUploads, type UploadPart } from '../blob-store';
import { areSameParts, MIN_PART_BYTES, partsMismatch, totalBytes } from '../part-uploads';
import { type PartSupply, sendBufferedPart } from '../streams/part-buffer';
import { orNull, type S3Bucket } from './s3-bucket';
import { s3Unavailable } from './s3-errors';

interface ArrivedPart extends UploadPart {
  readonly etag: string | undefined;
}

/** Multipart uploads of S3. A presigned URL is valid for one part of one length, and only until the upload is complete or aborted. */
export class S3PartUploads implements PartUploads {
  readonly minPartBytes = MIN_PART_BYTES;

  constructor(
    private readonly bucket: S3Bucket,
    private readonly blocks: PartSupply,
  ) {}

  async begin(key: string): Promise<string> {
    const create = { ...this.at(key), ContentType: 'application/octet-stream' };
    const { UploadId } = await this.bucket.sendSmall((client, options) =>
      client.send(new CreateMultipartUploadCommand(create), options),
    );
    return UploadId as string;
  }

  async signedPartUrl(key: string, uploadId: string, part: UploadPart, expiresIn: number): Promise<string> {
    const command = new UploadPartCommand({
      ...this.at(key),
      UploadId: uploadId,
      PartNumber: part.partNumber,
      ContentLength: part.sizeBytes,
    });
    const signableHeaders = new Set(['host', 'content-length']);
    return this.bucket.send((client) => getSignedUrl(client, command, { expiresIn, signableHeaders }));
  }

  async writePart(
    key: string,
    uploadId: string,
    part: UploadPart,
    source: Readable,
    options?: BlobWriteOptions,
  ): Promise<BlobHead> {
    source.on('error', () => undefined);
    try {
      const at = { ...this.at(key), UploadId: uploadId, PartNumber: part.partNumber };
      await sendBufferedPart(part, source, { options, blocks: this.blocks }, async (Body, abortSignal) => {
        const command = new UploadPartCommand({ ...at, Body });
        const sent = await this.bucket.send((client) => orNull(client.send(command, { abortSignal })));
        if (!sent) throw AppError.notFound('upload');
      });
      return { sizeBytes: part.sizeBytes };
    } catch (error) {
      source.destroy();
      throw error;
    }
  }

  async isOpen(key: string, uploadId: string): Promise<boolean> {
    const query = { ...this.at(key), UploadId: uploadId, MaxParts: 1 };
    const page = await this.bucket.sendOrNull((client, options) => client.send(new ListPartsCommand(query), options));
    return page !== null;
  }

  async listParts(key: string, uploadId: string): Promise<readonly UploadPart[]> {
    const arrived = await this.arrivedParts(key, uploadId);
    return arrived.map(({ partNumber, sizeBytes }) => ({ partNumber, sizeBytes }));
  }

  async complete(key: string, uploadId: string, parts: readonly UploadPart[]): Promise<BlobHead> {
    assertBlobKey(key);
    const sizeBytes = totalBytes(parts);
    try {
      const arrived = await this.arrivedParts(key, uploadId);
      if (!areSameParts(arrived, parts)) throw partsMismatch();
      await this.assemble(key, uploadId, arrived);
    } catch (error) {
      // An earlier or concurrent call has completed the upload.
      if ((await this.bucket.headOf(key))?.ContentLength !== sizeBytes) throw s3Unavailable(error);
      await this.abort(key, uploadId);
    }
    return { sizeBytes };
  }

  async abort(key: string, uploadId?: string): Promise<void> {
    const at = this.at(key);
    for (const UploadId of uploadId === undefined ? await this.uploadsOf(key) : [uploadId]) {
      await this.bucket.sendOrNull((client, options) =>
        client.send(new AbortMultipartUploadCommand({ ...at, UploadId }), options),
      );
    }
  }

  private async assemble(key: string, UploadId: string, arrived: readonly ArrivedPart[]): Promise<void> {
    const Parts = arrived.map(({ partNumber, etag }) => ({ PartNumber: partNumber, ETag: etag }));
    const complete = { ...this.at(key), UploadId, MultipartUpload: { Parts } };
    await this.bucket.sendConditional((condition) =>
      this.bucket.client.send(new CompleteMultipartUploadCommand({ ...complete, ...condition })),
    );
  }

  private async arrivedParts(key: string, UploadId: string): Promise<readonly ArrivedPart[]> {
    const at = this.at(key);
    const arrived: ArrivedPart[] = [];
    let PartNumberMarker: string | undefined;
    do {
      const query = { ...at, UploadId, PartNumberMarker };
      const page = await this.bucket.sendOrNull((client, options) => client.send(new ListPartsCommand(query), options));
      for (const { PartNumber = 0, Size = 0, ETag } of page?.Parts ?? []) {
        arrived.push({ partNumber: PartNumber, sizeBytes: Size, etag: ETag });
      }
      PartNumberMarker = page?.IsTruncated ? page.NextPartNumberMarker : undefined;
    } while (PartNumberMarker !== undefined);
    return arrived;
  }

  /** One page is enough: a key is used once, so it has few uploads. */
  private async uploadsOf(key: string): Promise<string[]> {
    const { Bucket, Key } = this.at(key);
    const page = await this.bucket.sendSmall((client, options) =>
      client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: Key }), options),
    );
    return (page.Uploads ?? []).flatMap(({ Key: name, UploadId }) => (name === key && UploadId ? [UploadId] : []));
  }

  private at(key: string) {
    assertBlobKey(key);
    return { Bucket: this.bucket.name, Key: key };
  }
}
