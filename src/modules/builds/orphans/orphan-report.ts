import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type BlobListing, type BlobStore } from '#infra/blob/blob-store';
import { isIntact } from '#infra/blob/copy-blob';
import { type StorageAccount, StorageService } from '#modules/storage';
import { type KnownBlob, KnownBlobs } from './known-blobs';

/** Keys of artifacts. The account may contain other objects of the operator. */
const PREFIX = 'builds/';
/** Younger blobs are ignored: a job deletes a blob after its row, within a day. */
const MIN_AGE_MS = 24 * 3_600_000;

const PROGRESS = 1_000;

/** The differences between a store and the database. */
export interface Orphans {
  /** Blobs older than a day that no row of any account refers to. */
  readonly blobs: readonly BlobListing[];
  /** Builds whose artifact is missing. */
  readonly builds: readonly KnownBlob[];
  /** Builds whose artifact differs from the uploaded bytes. Empty unless the content was verified. */
  readonly damaged: readonly KnownBlob[];
  /** Number of blobs in the store. */
  readonly listed: number;
}

export interface OrphanReportOptions {
  readonly delete: boolean;
  readonly verify?: boolean;
  /** Receives the number of blobs so far. */
  readonly report?: (done: number, total?: number, part?: string) => void;
}

/**
 * Compares a store's blobs with the database. The sweep does not need it; operators use it to check the sweep, or after a
 * restore of only the store or only the database. Keeps the keys of the account in memory. Blobs that another account refers
 * to are not orphans, because two accounts may use one bucket.
 */
@Injectable()
export class OrphanReport {
  constructor(
    private readonly knownBlobs: KnownBlobs,
    private readonly storage: StorageService,
  ) {}

  /**
   * @param options.delete schedules the deletion of the orphaned blobs.
   * @param options.verify reads every artifact and compares its SHA-256 with that of its build.
   */
  async run(ctx: RequestContext, account: StorageAccount, options: OrphanReportOptions): Promise<Orphans> {
    const store = await this.storage.storeOf(ctx, account);
    const youngest = new Date(ctx.clock.now().getTime() - MIN_AGE_MS);
    const listed = new Map<string, BlobListing>();
    for await (const blob of store.list(PREFIX)) {
      listed.set(blob.key, blob);
      if (listed.size % PROGRESS === 0) options.report?.(listed.size, undefined, 'artifacts');
    }
    const total = listed.size;
    options.report?.(total, total, 'artifacts');

    const faults = await this.faultsOf(ctx, { account, store }, listed, options);
    const old = [...listed.values()].filter(({ modifiedAt }) => modifiedAt < youngest);
    const known = await this.knownBlobs.knownAnywhere(
      ctx,
      old.map(({ key }) => key),
    );
    const blobs = old.filter(({ key }) => !known.has(key));
    if (options.delete) for (const { key } of blobs) await this.storage.deleteLater(ctx, { account, key });
    return { blobs, ...faults, listed: total };
  }

  /** Removes the known blobs from `listed`. */
  private async faultsOf(
    ctx: RequestContext,
    { account, store }: { readonly account: StorageAccount; readonly store: BlobStore },
    listed: Map<string, BlobListing>,
    { verify, report }: OrphanReportOptions,
  ): Promise<Pick<Orphans, 'builds' | 'damaged'>> {
    const builds: KnownBlob[] = [];
    const damaged: KnownBlob[] = [];
    let verified = 0;
    for await (const { key, buildId, content } of this.knownBlobs.of(ctx, account)) {
      const isListed = listed.delete(key);
      if (!content) continue;
      // The blob may have been stored after the listing had passed its key.
      if (!isListed && !(await store.head(key))) builds.push({ key, buildId });
      else if (verify) {
        if (!(await isIntact({ store, key }, content))) damaged.push({ key, buildId });
        report?.(++verified, undefined, 'verified');
      }
    }
    return { builds, damaged };
  }
}
