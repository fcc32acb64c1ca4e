import { type Readable } from 'node:stream';
import { AppError } from '#kernel/errors/app-error';
import { type BlobStore } from './blob-store';
import { Digest, digestOf } from './digest';

/** A blob where it is, or is to be. */
export interface StoredBlob {
  readonly store: BlobStore;
  readonly key: string;
}

/** `kept`: it was there already, whole. `missing`, `damaged`: what it was to be copied from is. */
export type CopyOutcome = 'copied' | 'kept' | 'missing' | 'damaged';

/**
 * Sees that a blob is somewhere as it once was. One that is there is read, and kept when it is whole; else it is copied. Nothing is left
 * of one that arrives damaged.
 * @param sha256 lower-case hexadecimal.
 */
export async function copyBlob(from: StoredBlob, to: StoredBlob, sha256: string): Promise<CopyOutcome> {
  if (await to.store.head(to.key)) {
    if ((await hashOf(to)) === sha256) return 'kept';
    await to.store.delete(to.key);
  }
  const source = await readIfThere(from);
  if (!source) return 'missing';
  const digest = new Digest();
  await to.store.write(to.key, source, { onChunk: (chunk) => digest.add(chunk) });
  if (digest.result().sha256 === sha256) return 'copied';
  await to.store.delete(to.key);
  return 'damaged';
}

/** The SHA-256 of what is stored, in lower-case hexadecimal. */
export async function hashOf({ store, key }: StoredBlob): Promise<string> {
  return (await digestOf(await store.read(key))).sha256;
}

async function readIfThere({ store, key }: StoredBlob): Promise<Readable | null> {
  try {
    return await store.read(key);
  } catch (error) {
    if (error instanceof AppError && error.errorCase === 'not_found') return null;
    throw error;
  }
}
