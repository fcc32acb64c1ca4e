import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type StorageAccount, StorageService } from '#modules/storage';
import { type BlobListing } from '#infra/blob/blob-store';
import { BlobRowsRepository, type BlobRow } from './known-blobs.repository';

/** What is ours in an account; an operator may keep other things beside it. */
const PREFIX = 'builds/';
/** An upload's row is there before its blob, and a deletion's blob goes after its row: both within a day. */
const YOUNG_MS = 24 * 3_600_000;

const PROGRESS = 1_000;

/** How a store and the database disagree. */
export interface Orphans {
  /** Blobs that no row of any account speaks of, older than a day. */
  readonly blobs: readonly BlobListing[];
  /** Builds whose artifact is not there. */
  readonly builds: readonly BlobRow[];
  /** How many blobs the store holds in all. */
  readonly listed: number;
}

/**
 * Compares what a store holds with what the database knows. The sweeper needs no listing: this is for people who want to see
 * that it misses nothing, or who have restored one of the two from a backup. The keys of the account are held in memory. What
 * another account knows is left alone: two may be one bucket, and nothing tells them apart but their keys.
 */
@Injectable()
export class OrphanReport {
  constructor(
    private readonly rows: BlobRowsRepository,
    private readonly storage: StorageService,
  ) {}

  /**
   * @param options.delete deletes the blobs that it found, after the fact, retried until they are gone.
   * @param options.report hears how many blobs were looked at.
   */
  async run(
    ctx: RequestContext,
    account: StorageAccount,
    options: { readonly delete: boolean; readonly report?: (done: number, total?: number, part?: string) => void },
  ): Promise<Orphans> {
    const store = await this.storage.storeOf(ctx, account);
    const youngest = new Date(ctx.clock.now().getTime() - YOUNG_MS);
    const listed = new Map<string, BlobListing>();
    for await (const blob of store.list(PREFIX)) {
      listed.set(blob.key, blob);
      if (listed.size % PROGRESS === 0) options.report?.(listed.size, undefined, 'artifacts');
    }
    const total = listed.size;
    options.report?.(total, total, 'artifacts');

    const builds: BlobRow[] = [];
    for await (const row of this.rows.of(ctx, account)) {
      const isListed = listed.delete(row.key);
      // It may have come after its place in the listing was passed.
      if (!isListed && row.buildId !== null && !(await store.head(row.key))) builds.push(row);
    }
    const old = [...listed.values()].filter(({ modifiedAt }) => modifiedAt < youngest);
    const known = await this.rows.knownAnywhere(
      ctx,
      old.map(({ key }) => key),
    );
    const blobs = old.filter(({ key }) => !known.has(key));
    if (options.delete) for (const { key } of blobs) await this.storage.deleteLater(ctx, { account, key });
    return { blobs, builds, listed: total };
  }
}
