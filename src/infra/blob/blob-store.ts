import { type Readable } from 'node:stream';
import { AppError } from '#kernel/errors/app-error';
import { type BlobHead, type BlobWriteOptions } from './blob-write';
import { type OpenBlob } from './streams/open-blob';
import { type PartUploads } from './part-uploads';

export { type BlobHead, type BlobWriteOptions } from './blob-write';

/** A part of a blob, both ends included, as in HTTP (RFC 9110 §14.1.2) and in `fs.createReadStream`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface BlobListing extends BlobHead {
  readonly key: string;
  readonly modifiedAt: Date;
}

export interface SignedUrlOptions {
  readonly expiresInSeconds: number;
  readonly fileName: string;
  readonly mediaType: string;
}

/**
 * How the bytes of a blob get to a client of ours: `stream`, through this service; `redirect`, from the store by a signed address, if
 * it can sign; `auto`, likewise, unless the store would answer differently from us.
 */
export type BlobDelivery = 'auto' | 'redirect' | 'stream';

/**
 * Where artifacts and icons live (contract §11). Every provider implements it and passes `test/suites/blob-store.suite.ts`.
 *
 * Keys are made of ids, never of anything a client typed, and are used once ({@link assertBlobKey}). Any key may be written
 * whatever other keys exist, `a` beside `a/b` too.
 *
 * Errors: `not_found` when a blob to read is missing; `storage_backend_unavailable` for whatever is wrong with the store
 * itself (full, unreachable, forbidden), with the cause; errors of a caller's stream, `onChunk` or signal come back as they
 * are. The store changes nothing when it fails.
 */
export interface BlobStore {
  /** Blobs that are sent in parts. */
  readonly parts: PartUploads;

  /**
   * Streams `source` into a new blob. Durable when it resolves: it survives a power cut. Nothing is visible under the key
   * before it is whole, and after a failure nothing stays. A key that exists is refused with `already_exists`; of several
   * writers to one key exactly one wins. Takes over `source`: it is consumed or destroyed.
   */
  write(key: string, source: Readable, options?: BlobWriteOptions): Promise<BlobHead>;

  /** Opens the blob, or the part of it, as a stream which the caller must consume or destroy. */
  read(key: string, range?: ByteRange): Promise<Readable>;

  /** Opens the blob, or the part of it, to be sent as it is. Absent: nothing is faster than `read`. */
  open?(key: string, range?: ByteRange): Promise<OpenBlob>;

  /**
   * `length` bytes from `offset`; fewer where the blob ends, none beyond it. For readers that jump (zip directories).
   * @param signal ends a read that takes too long, which is then `storage_backend_unavailable`.
   */
  readBlock(key: string, offset: number, length: number, signal?: AbortSignal): Promise<Buffer>;

  head(key: string): Promise<BlobHead | null>;

  /** A missing blob counts as deleted. Streams already open may end early. */
  delete(key: string): Promise<void>;

  /** All blobs whose key starts with `prefix`, in no order. Only for reports: it is not cheap and not a snapshot. */
  list(prefix: string): AsyncIterable<BlobListing>;

  /** An address of the provider that serves the blob to whoever holds it. Absent: this service streams the blob itself. */
  signedUrl?(key: string, options: SignedUrlOptions): Promise<string>;

  /** Resolves when the store can be written and read at this moment. */
  check(): Promise<void>;
}

/** What whoever makes a blob throws for a key that is another's. */
export const alreadyStored = (cause?: unknown): AppError =>
  new AppError('already_exists', { message: 'This blob is already stored.', cause });

const KEY = /^[a-z0-9][a-z0-9_-]{0,63}(?:\/[a-z0-9][a-z0-9_-]{0,63}){0,7}$/;
const PREFIX = /^[a-z0-9_/-]{0,519}$/;

/**
 * Refuses keys that are not one to eight segments of lower-case letters, digits, `-` and `_`: no dots, so no `..`, no hidden
 * files; no letter case, so no clash on a file system that ignores it. A bad key is a mistake of ours, hence a 500.
 */
export function assertBlobKey(key: string): void {
  if (!KEY.test(key)) throw new AppError('internal_error', { cause: `malformed blob key ${JSON.stringify(key)}` });
}

/** The same for the prefix of a listing. */
export function assertBlobPrefix(prefix: string): void {
  if (!PREFIX.test(prefix)) {
    throw new AppError('internal_error', { cause: `malformed blob key prefix ${JSON.stringify(prefix)}` });
  }
}
