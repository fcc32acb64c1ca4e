import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '#kernel/errors/app-error';
import { type BlobHead, type BlobWriteOptions } from './blob-write';

/** A part of an upload: which one, from 1, and how long it is. */
export interface UploadPart {
  readonly partNumber: number;
  readonly sizeBytes: number;
}

/**
 * Blobs that are sent in parts: in any order, several at once, by several processes, with breaks of days between them. Part
 * of every provider's contract (`test/suites/part-uploads.suite.ts`).
 *
 * Nothing is visible under the key, and no listing shows anything, before `complete`. Parts are numbered from 1 without gaps.
 * All parts but the last are of one size, at least {@link MIN_PART_BYTES}; there are at most {@link MAX_PARTS}.
 *
 * Errors are those of `BlobStore`. An upload that was never begun, was aborted or is complete has no parts; whether it refuses
 * to take one is the provider's affair (`not_found` if so): who may still send is decided above.
 */
export interface PartUploads {
  /** Begins an upload and names it. The key is used once, so it has one upload. */
  begin(key: string): Promise<string>;

  /**
   * An address of the provider to which `PUT` with the part as the body sends it, without another credential. It gives power
   * over that one part of that one upload: whatever is sent to it once `complete` has resolved cannot change the blob.
   * Absent: the part is sent to this service, which calls `writePart`.
   */
  signedPartUrl?(key: string, uploadId: string, part: UploadPart, expiresInSeconds: number): Promise<string>;

  /**
   * Stores a part, durable when it resolves. It may be sent again, at the same time too: the last whole one counts, and one
   * that fails half-way changes nothing. Takes over `source`: it is consumed or destroyed.
   * @throws AppError invalid_input `part_size_mismatch` when `source` is not `part.sizeBytes` long; the part then does not count.
   */
  writePart(
    key: string,
    uploadId: string,
    part: UploadPart,
    source: Readable,
    options?: BlobWriteOptions,
  ): Promise<BlobHead>;

  /**
   * Whether an address still takes bytes once `complete` has resolved. They are not the blob's, but take up room: abort again when
   * the addresses have run out.
   */
  readonly takesLateParts?: boolean;

  /** The parts that have arrived whole, by number. Sizes are those that arrived: by a signed address it may be a wrong one. */
  listParts(key: string, uploadId: string): Promise<readonly UploadPart[]>;

  /**
   * Makes the blob of the parts, in the order given, which must be 1, 2, 3…: all or nothing, durable when it resolves, and
   * without holding them in memory. Safe to repeat, by two at once and after a crash too: if the blob is there, with the size
   * of the parts together, it is done. The upload is over; no part of it stays.
   * @throws AppError invalid_input `parts_mismatch` when what has arrived is not these parts; the upload then goes on.
   */
  complete(key: string, uploadId: string, parts: readonly UploadPart[]): Promise<BlobHead>;

  /**
   * Drops the upload and its parts. Unknown, aborted or complete ones are fine; a complete one's blob stays. A part that is
   * on its way at this moment may still arrive: abort again when it no longer can.
   * @param uploadId left out when it is not known, because whoever began the upload died: whatever was begun under the key.
   */
  abort(key: string, uploadId?: string): Promise<void>;
}

/** The least that S3 takes for any part but the last. */
export const MIN_PART_BYTES = 5 * 1024 * 1024;
/** The most that S3 takes. */
export const MAX_PARTS = 10_000;

/** What `writePart` throws for a source of another length. */
export const partSizeMismatch = ({ partNumber, sizeBytes }: UploadPart): AppError =>
  AppError.invalidInput('part_size_mismatch', `Part ${partNumber} must be exactly ${sizeBytes} bytes long.`);

/** What `complete` throws when other parts have arrived than those it was told. */
export const partsMismatch = (): AppError =>
  AppError.invalidInput('parts_mismatch', 'The parts that arrived are not those of this file.');

/** The size of the blob that the parts make. */
export const totalBytes = (parts: readonly UploadPart[]): number =>
  parts.reduce((total, { sizeBytes }) => total + sizeBytes, 0);

/** Whether exactly the wanted parts have arrived, both in the order of their numbers. */
export const areSameParts = (arrived: readonly UploadPart[], wanted: readonly UploadPart[]): boolean =>
  arrived.length === wanted.length &&
  wanted.every(({ partNumber, sizeBytes }, index) => {
    const part = arrived[index];
    return part?.partNumber === partNumber && part.sizeBytes === sizeBytes;
  });

/** An `onChunk` that ends a write with the first byte too many. */
export function refuseLonger(part: UploadPart, { onChunk }: BlobWriteOptions): (chunk: Buffer) => void {
  let receivedBytes = 0;
  return (chunk) => {
    receivedBytes += chunk.length;
    if (receivedBytes > part.sizeBytes) throw partSizeMismatch(part);
    onChunk?.(chunk);
  };
}

/**
 * Reads a part into memory, for providers that want to know its length before its bytes, and may have to send it twice.
 * @throws AppError invalid_input `part_size_mismatch`.
 */
export async function bufferPart(part: UploadPart, source: Readable, options: BlobWriteOptions): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(part.sizeBytes);
  const onChunk = refuseLonger(part, options);
  let filled = 0;
  const fill = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      try {
        onChunk(chunk);
        filled += chunk.copy(bytes, filled);
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
  try {
    if (source.errored) throw source.errored;
    await pipeline(source, fill, { signal: options.signal });
  } catch (error) {
    options.signal?.throwIfAborted();
    throw error;
  }
  if (filled !== part.sizeBytes) throw partSizeMismatch(part);
  return bytes;
}
