import { AppError } from '#kernel/errors/app-error';
import { Digest, digestOf } from '#platform/backup/durable-file';
import { type BlobStore } from '#platform/blob/blob-store';
import { type ListedArtifact } from './backup-folder';
import { type ArtifactFault } from './manifest';

export type CopyOutcome = 'copied' | 'kept' | ArtifactFault['reason'];

/**
 * Sees that an artifact is in a store as it was uploaded. One that is there is read, and kept when it is whole; else it is copied.
 * Nothing is left of one that arrives damaged.
 */
export async function copyArtifact(
  { key, sha256 }: ListedArtifact,
  source: BlobStore,
  target: BlobStore,
): Promise<CopyOutcome> {
  if (await target.head(key)) {
    if ((await digestOf(await target.read(key))).sha256 === sha256) return 'kept';
    await target.delete(key);
  }
  const digest = new Digest();
  try {
    await target.write(key, await source.read(key), { onChunk: (chunk) => digest.add(chunk) });
  } catch (error) {
    if (error instanceof AppError && error.errorCase === 'not_found') return 'missing';
    throw error;
  }
  if (digest.result().sha256 === sha256) return 'copied';
  await target.delete(key);
  return 'damaged';
}
