import { type Readable } from 'node:stream';
import { AppError } from '#kernel/errors/app-error';
import { type OpenBlob } from './streams/open-blob';

/** A byte range that includes both `start` and `end`, as in HTTP (RFC 9110, section 14.1.2) and `fs.createReadStream`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A byte range that includes `start` but not `end`. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

export interface BlobHead {
  readonly sizeBytes: number;
}

export interface BlobListing extends BlobHead {
  readonly key: string;
  readonly modifiedAt: Date;
}

export interface BlobWriteOptions {
  /**
   * Called with every chunk before the store uses it, while it is in the CPU cache: hash and count here. An exception fails the write.
   * The chunk's memory is reused, so do not keep or modify it.
   */
  readonly onChunk?: (chunk: Buffer) => void;
  /**
   * Frees the memory of chunks as soon as their bytes are copied or sent, and not with the next garbage collection. Only for a source
   * whose chunks nothing else uses afterwards, such as the body of a request.
   */
  readonly freesChunks?: boolean;
  /** Cancels the write, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface SignedUrlOptions {
  readonly expiresInSeconds: number;
  /** When the URL expires, instead of after `expiresInSeconds`. Only Azure supports it. */
  readonly expiresAt?: Date;
  readonly fileName: string;
  readonly mediaType: string;
  /** The `Cache-Control` of the response. Absent: no cache keeps it. */
  readonly cacheControl?: string;
}

/**
 * How a client downloads a blob. `stream`: through this service. `redirect`: from a presigned URL of the provider, when it can sign.
 * `auto`: as `redirect`, unless the provider would respond differently from this service.
 */
export type BlobDelivery = 'auto' | 'redirect' | 'stream';

/**
 * Storage of artifacts and icons. Every driver passes `test/suites/blob-store.suite.ts`.
 *
 * A key consists of ids, never of client input, and is written once ({@link assertBlobKey}). Keys do not depend on each other: `a` and
 * `a/b` can both exist.
 *
 * Errors: `not_found` when the blob to read does not exist. `storage_backend_unavailable`, with the cause, when the store fails (full,
 * unreachable, forbidden). Errors of the caller's stream, `onChunk` or signal are rethrown unchanged. A failed call leaves the store
 * unchanged.
 */
export interface BlobStore {
  readonly parts: PartUploads;

  /**
   * Streams `source` into a new blob. The blob becomes visible only when it is complete and durable (it survives a power cut); a failed
   * write leaves nothing behind. Of several concurrent writers to one key, exactly one succeeds. Always consumes or destroys `source`.
   * @throws AppError already_exists when the key exists.
   */
  write(key: string, source: Readable, options?: BlobWriteOptions): Promise<BlobHead>;

  /** Opens the blob, or a range of it. The caller must consume or destroy the stream. */
  read(key: string, range?: ByteRange): Promise<Readable>;

  /** Opens the blob, or a range of it, for sending. Optional: implement it when it can be faster than `read`. */
  open?(key: string, range?: ByteRange): Promise<OpenBlob>;

  /**
   * Calls `onChunk` with every chunk of the blob from the byte `start` on, in order; the chunk's memory is reused. For hashing. Optional:
   * implement it when it can be faster than `read`.
   */
  scan?(key: string, onChunk: (chunk: Buffer) => void, start?: number): Promise<void>;

  /**
   * Reads `length` bytes from `offset`; fewer at the end of the blob, none past it. For random access, as in zip archives.
   * @param signal cancels a slow read, which then rejects with `storage_backend_unavailable`.
   */
  readBlock(key: string, offset: number, length: number, signal?: AbortSignal): Promise<Buffer>;

  /** `null` when the blob does not exist. */
  head(key: string): Promise<BlobHead | null>;

  /** Succeeds also when the blob does not exist. Streams that are open on the blob may end early. */
  delete(key: string): Promise<void>;

  /** Lists the blobs with this key prefix, in no order. Slow and not a snapshot: use it for reports only. */
  list(prefix: string): AsyncIterable<BlobListing>;

  /** Presigns a download URL of the provider. Optional: without it, this service streams the blob. */
  signedUrl?(key: string, options: SignedUrlOptions): Promise<string>;

  /** Resolves when the store can be read and written at this moment. */
  check(): Promise<void>;
}

/** One part of a multipart upload. */
export interface UploadPart {
  /** Starts at 1. */
  readonly partNumber: number;
  readonly sizeBytes: number;
}

/** A part that is sent. */
export interface SentPart extends UploadPart {
  /** The position of its first byte in the file. */
  readonly offset: number;
}

/** A blob that was assembled from parts. */
export interface AssembledBlob extends BlobHead {
  /** Whether its bytes are those that every `scanPart` after the arrival of its part has passed on. Absent: not known. */
  readonly isAsScanned?: boolean;
}

/**
 * Multipart uploads. Parts arrive in any order, concurrently, at several processes, and with pauses of days. Every driver passes
 * `test/suites/part-uploads.suite.ts`.
 *
 * Neither the key nor any listing shows the blob before `complete`. Part numbers start at 1 and have no gaps. All parts but the last have
 * one size of at least `MIN_PART_BYTES`; there are at most `MAX_PARTS` (`part-uploads.ts`).
 *
 * Errors are those of `BlobStore`. An upload that is unknown, aborted or complete has no parts. Whether it still accepts one depends on
 * the driver (`not_found` if not): the caller decides which uploads are open.
 */
export interface PartUploads {
  /** The minimum size of every part but the last, in bytes. Absent when the store has none. */
  readonly minPartBytes?: number;

  /** Starts an upload. A key has one upload. @returns the upload id. */
  begin(key: string): Promise<string>;

  /**
   * Presigns a URL of the provider for a `PUT` of one part, without other credentials. Data sent to it after `complete` has resolved
   * cannot change the blob. Optional: without it, clients send the part to this service, which calls `writePart`.
   */
  signedPartUrl?(key: string, uploadId: string, part: UploadPart, expiresInSeconds: number): Promise<string>;

  /**
   * Stores a part, which is durable when this resolves. A part may be sent again, even concurrently: the last complete write counts, and
   * a failed write changes nothing. Always consumes or destroys `source`.
   * @throws AppError invalid_input `part_size_mismatch` when `source` is not `part.sizeBytes` long; it is then not stored.
   */
  writePart(
    key: string,
    uploadId: string,
    part: SentPart,
    source: Readable,
    options?: BlobWriteOptions,
  ): Promise<BlobHead>;

  /**
   * Calls `onChunk` with every chunk of a part that has arrived, in order, before the blob is assembled; the chunk's memory is reused. The
   * part may still be sent again: `complete` tells whether it was. For hashing. Optional: without it, parts cannot be read.
   */
  scanPart?(key: string, part: SentPart, onChunk: (chunk: Buffer) => void): Promise<void>;

  /**
   * Whether presigned part URLs still accept data after `complete` has resolved. Such data never reaches the blob but occupies space:
   * abort the upload again when the URLs have expired.
   */
  readonly acceptsLateParts?: boolean;

  /**
   * Whether the upload exists. False when it was completed or aborted, when the store has deleted it (S3: by a lifecycle rule), or when it
   * was begun in another store. Optional: without it, the store needs no upload to exist and accepts parts at any time.
   */
  isOpen?(key: string, uploadId: string): Promise<boolean>;

  /** Lists the complete parts by number, with their actual sizes: a client can send any size to a presigned URL. */
  listParts(key: string, uploadId: string): Promise<readonly UploadPart[]>;

  /**
   * Assembles the blob from `parts`, which must be numbered 1, 2, 3…, and removes the upload. Atomic, and durable when it resolves; does
   * not hold the parts in memory. Safe to repeat, concurrently or after a crash: succeeds when the blob exists with the total size.
   * @throws AppError invalid_input `parts_mismatch` when other parts have arrived; the upload then stays open.
   */
  complete(key: string, uploadId: string, parts: readonly UploadPart[]): Promise<AssembledBlob>;

  /**
   * Deletes the upload and its parts. Succeeds when the upload is unknown or aborted; when it is complete, its blob stays. A part that is
   * being sent may still arrive: abort again when that is no longer possible.
   * @param uploadId omit it to abort every upload of the key, when a crash lost the id.
   */
  abort(key: string, uploadId?: string): Promise<void>;
}

/** The error of a write to a key that exists. */
export const alreadyStored = (cause?: unknown): AppError =>
  new AppError('already_exists', { message: 'This blob is already stored. Write to a new key.', cause });

const KEY = /^[a-z0-9][a-z0-9_-]{0,63}(?:\/[a-z0-9][a-z0-9_-]{0,63}){0,7}$/;
const PREFIX = /^[a-z0-9_/-]{0,519}$/;

/**
 * Checks that a key has one to eight segments of lower-case letters, digits, `-` and `_`. Without dots there is no `..` and no hidden
 * file; without upper case there is no clash on a case-insensitive file system.
 * @throws AppError internal_error: a malformed key is a bug of this service.
 */
export function assertBlobKey(key: string): void {
  if (!KEY.test(key)) throw new AppError('internal_error', { cause: `malformed blob key ${JSON.stringify(key)}` });
}

/** Checks the prefix of a listing. @throws AppError internal_error, as {@link assertBlobKey}. */
export function assertBlobPrefix(prefix: string): void {
  if (!PREFIX.test(prefix)) {
    throw new AppError('internal_error', { cause: `malformed blob key prefix ${JSON.stringify(prefix)}` });
  }
}
