import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { AppError } from '#kernel/errors/app-error';
import { type BlobStore } from '#infra/blob/blob-store';
import { type ArtifactFile } from '../catalogue/build';

/** How long a result is cached: all downloads of an artifact that start together cause one request to the store. */
const REMEMBERED_MS = 1500;

/** The maximum number of cached results, about 300 bytes each. */
const MAX_REMEMBERED = 10_000;

/** Checks, before a download is charged and redirected, that the store is available and holds the artifact. */
@Injectable()
export class ArtifactPresenceService {
  private readonly checks = new LRUCache<string, Promise<void>>({ max: MAX_REMEMBERED, ttl: REMEMBERED_MS });

  /** @throws AppError storage_backend_unavailable when the store is unavailable, or has no such artifact of this size. */
  require(store: BlobStore, file: ArtifactFile): Promise<void> {
    const key = `${file.blob.account}/${file.blob.key}`;
    const remembered = this.checks.get(key);
    if (remembered) return remembered;
    const check = requireBlob(store, file);
    this.checks.set(key, check);
    // A failure is shared by the requests that already wait for it, and not cached.
    check.catch(() => this.checks.get(key) === check && this.checks.delete(key));
    return check;
  }
}

async function requireBlob(store: BlobStore, { blob, sizeBytes }: ArtifactFile): Promise<void> {
  const head = await store.head(blob.key);
  if (head?.sizeBytes === sizeBytes) return;
  const found = head ? `has ${head.sizeBytes} bytes` : 'is missing';
  throw new AppError('storage_backend_unavailable', {
    cause: `the artifact ${blob.key} in ${blob.account} ${found} instead of ${sizeBytes} bytes`,
  });
}
