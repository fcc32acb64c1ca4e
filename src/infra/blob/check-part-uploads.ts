import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { AppError } from '#kernel/errors/app-error';
import { type BlobStore, type SentPart } from './blob-store';
import { areSameParts } from './part-uploads';
import { StoreError } from './store-errors';

const SMALL_PART_BYTES = 4096;
/** The statuses by which stores reject an operation that they do not have. */
const UNKNOWN_OPERATION = [400, 404, 405, 501];

/** The store lacks an operation that uploads in parts need. The message is for a person, and contains nothing that the store sent. */
export class UnsupportedPartUploads extends Error {}

/**
 * Checks that a store supports uploads in parts, which every large upload needs: sends two parts, lists them and makes a blob of them. S3
 * requires 5 MiB for a first part, so it is for checks on demand only. The blob is deleted afterwards, also after a failure.
 * @param key a key that no blob has.
 * @param verify is called with the stored bytes, before the blob is deleted.
 * @throws UnsupportedPartUploads when the store lacks an operation; otherwise the errors of the store.
 */
export async function checkPartUploads(
  store: BlobStore,
  key: string,
  { signal, verify }: { readonly signal?: AbortSignal; readonly verify?: (bytes: Buffer) => Promise<void> } = {},
): Promise<void> {
  const first = store.parts.minPartBytes ?? SMALL_PART_BYTES;
  const bytes = randomBytes(first + SMALL_PART_BYTES);
  const parts: SentPart[] = [
    { partNumber: 1, offset: 0, sizeBytes: first },
    { partNumber: 2, offset: first, sizeBytes: SMALL_PART_BYTES },
  ];
  const uploadId = await supported('begin an upload in parts (S3: CreateMultipartUpload)', store.parts.begin(key));
  try {
    for (const part of parts) {
      const body = Readable.from([bytes.subarray(part.offset, part.offset + part.sizeBytes)]);
      const writing = store.parts.writePart(key, uploadId, part, body, { ...(signal && { signal }) });
      await supported('receive a part (S3: UploadPart; Azure: Put Block)', writing);
    }
    const listing = 'list the parts of an upload (S3: ListParts; Azure: Get Block List)';
    const arrived = await supported(listing, store.parts.listParts(key, uploadId));
    if (!areSameParts(arrived, parts)) throw unsupported(listing);
    const assembling = 'make an object of the parts (S3: CompleteMultipartUpload; Azure: Put Block List and Copy Blob)';
    await supported(assembling, store.parts.complete(key, uploadId, parts));
    await verify?.(bytes);
  } finally {
    await store.parts.abort(key, uploadId).catch(() => undefined);
    await store.delete(key).catch(() => undefined);
  }
}

async function supported<Result>(operation: string, request: Promise<Result>): Promise<Result> {
  try {
    return await request;
  } catch (error) {
    const cause = error instanceof AppError ? error.cause : undefined;
    const isUnknown = cause instanceof StoreError && cause.kind === 'failing' && isUnknownOperation(cause.status);
    throw isUnknown ? unsupported(operation) : error;
  }
}

const isUnknownOperation = (status: number | undefined): boolean =>
  status !== undefined && UNKNOWN_OPERATION.includes(status);

const unsupported = (operation: string): UnsupportedPartUploads =>
  new UnsupportedPartUploads(`The store cannot ${operation}, so large uploads would fail. Use a store that can.`);
