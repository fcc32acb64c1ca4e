import { type Readable } from 'node:stream';
import { AppError } from '#kernel/errors/app-error';
import { type BlobStore } from './blob-store';
import { bounded, isOverlong } from './streams/bounded-read';
import { Digest, digestOf } from './streams/digest';

/** A blob where it is, or is to be. */
export interface StoredBlob {
  readonly store: BlobStore;
  readonly key: string;
}

/** `kept`: it was there already, whole. `missing`, `damaged`: what it was to be copied from is. */
export type CopyOutcome = 'copied' | 'kept' | 'missing' | 'damaged';

/** What a blob once was. */
export interface KnownBlob {
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  readonly sizeBytes: number;
}

/**
 * Sees that a blob is somewhere as it once was. One that is there is read, and kept when it is whole; else it is copied. Nothing is left
 * of one that arrives damaged. Of a store that sends more than the blob, no more is read.
 */
export async function copyBlob(from: StoredBlob, to: StoredBlob, known: KnownBlob): Promise<CopyOutcome> {
  if (await to.store.head(to.key)) {
    if ((await unlessOverlong(() => hashOf(to, known.sizeBytes))) === known.sha256) return 'kept';
    await to.store.delete(to.key);
  }
  const source = await readIfThere(from);
  if (!source) return 'missing';
  const digest = new Digest();
  const blob = bounded(source, known.sizeBytes);
  const written = await unlessOverlong(() => to.store.write(to.key, blob, { onChunk: (chunk) => digest.add(chunk) }));
  if (written && digest.result().sha256 === known.sha256) return 'copied';
  await to.store.delete(to.key);
  return 'damaged';
}

/**
 * The SHA-256 of what is stored, in lower-case hexadecimal.
 * @throws AppError storage_backend_unavailable when the store sends more than `mostBytes`, too.
 */
export async function hashOf({ store, key }: StoredBlob, mostBytes: number): Promise<string> {
  return (await digestOf(bounded(await store.read(key), mostBytes))).sha256;
}

/** Null where a store sends more than the blob: that is no trouble which passes. */
async function unlessOverlong<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (isOverlong(error)) return null;
    throw error;
  }
}

async function readIfThere({ store, key }: StoredBlob): Promise<Readable | null> {
  try {
    return await store.read(key);
  } catch (error) {
    if (error instanceof AppError && error.errorCase === 'not_found') return null;
    throw error;
  }
}
