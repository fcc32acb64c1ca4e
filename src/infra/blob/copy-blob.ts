import { type Readable } from 'node:stream';
import { AppError } from '#kernel/errors/app-error';
import { type BlobStore } from './blob-store';
import { boundedRead, isTooLong, tooLong } from './streams/bounded-read';
import { Digest } from './streams/digest';

export interface BlobLocation {
  readonly store: BlobStore;
  readonly key: string;
}

/** `kept`: an intact copy already existed at the target. `missing`, `damaged`: the source is missing or damaged. */
export type CopyOutcome = 'copied' | 'kept' | 'missing' | 'damaged';

/** The content that a blob had when it was recorded. */
export interface ExpectedContent {
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  readonly sizeBytes: number;
}

/**
 * Copies a blob unless an intact copy already exists at the target; a damaged copy there is replaced. Deletes the target when the source
 * turns out damaged. Stops reading a store that sends more than the expected size.
 */
export async function copyBlob(from: BlobLocation, to: BlobLocation, expected: ExpectedContent): Promise<CopyOutcome> {
  if (await to.store.head(to.key)) {
    if (await isIntact(to, expected)) return 'kept';
    await to.store.delete(to.key);
  }
  const source = await readOrNull(from);
  if (!source) return 'missing';
  const digest = new Digest();
  const blob = boundedRead(source, expected.sizeBytes);
  const written = await nullIfTooLong(() => to.store.write(to.key, blob, { onChunk: (chunk) => digest.add(chunk) }));
  if (written && digest.result().sha256 === expected.sha256) return 'copied';
  await to.store.delete(to.key);
  return 'damaged';
}

/**
 * Calls `onChunk` with every chunk of a stored blob from the byte `start` on. The chunk's memory is reused.
 * @throws AppError storage_backend_unavailable, also when the store sends more than `maxBytes` from there on.
 */
export async function scanBlob(
  { store, key }: BlobLocation,
  { start = 0, maxBytes }: { readonly start?: number; readonly maxBytes: number },
  onChunk: (chunk: Buffer) => void,
): Promise<void> {
  if (!store.scan) {
    const source = await store.read(key, start > 0 ? { start, end: start + maxBytes - 1 } : undefined);
    for await (const chunk of boundedRead(source, maxBytes)) onChunk(chunk as Buffer);
    return;
  }
  let scannedBytes = 0;
  const count = (chunk: Buffer): void => {
    scannedBytes += chunk.length;
    if (scannedBytes > maxBytes) throw tooLong(maxBytes);
    onChunk(chunk);
  };
  await store.scan(key, count, start);
}

/**
 * Computes the SHA-256 of a stored blob, in lower-case hexadecimal.
 * @throws AppError storage_backend_unavailable, also when the store sends more than `maxBytes`.
 */
export async function hashOf(blob: BlobLocation, maxBytes: number): Promise<string> {
  const digest = new Digest();
  await scanBlob(blob, { maxBytes }, (chunk) => digest.add(chunk));
  return digest.result().sha256;
}

/**
 * Whether a stored blob has the expected content.
 * @throws AppError not_found; storage_backend_unavailable.
 */
export async function isIntact(blob: BlobLocation, { sha256, sizeBytes }: ExpectedContent): Promise<boolean> {
  return (await nullIfTooLong(() => hashOf(blob, sizeBytes))) === sha256;
}

/** A store that sends too much will do so again, so a retry is useless: `null` instead of an error. */
async function nullIfTooLong<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (isTooLong(error)) return null;
    throw error;
  }
}

async function readOrNull({ store, key }: BlobLocation): Promise<Readable | null> {
  try {
    return await store.read(key);
  } catch (error) {
    if (error instanceof AppError && error.errorCase === 'not_found') return null;
    throw error;
  }
}
