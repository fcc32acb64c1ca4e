import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { isUuid } from '#kernel/ids';
import { type BlobStore } from '#infra/blob/blob-store';
import { StorageConfig } from '#infra/config/config';
import { RunningBackup } from '#infra/database/running-backup';
import { defineJob } from '#infra/jobs/job-kind';
import { type EnqueueOptions, Jobs } from '#infra/jobs/jobs';
import { CustomerStoresService } from './accounts/customer-stores.service';
import { HostedStoreService } from './accounts/hosted-store.service';
import { StorageAccountsRepository } from './accounts/storage-accounts.repository';
import { StoreCircuitsService } from './accounts/store-circuits.service';

/** Identifies a storage account: `hosted`, or the id of an organization's own account. Each build stores the account of its artifact. */
export type StorageAccount = string;

/** The operator's store, for organizations without their own account. */
export const HOSTED: StorageAccount = 'hosted';

/**
 * The account for new artifacts of an organization, as an expression of SQL. It cannot change until the transaction ends.
 * @param organizationId an expression of SQL, never input.
 */
export const receivingAccount = (organizationId: string): string =>
  `coalesce((SELECT id::text FROM storage_account WHERE organization_id = ${organizationId} AND receives FOR SHARE), '${HOSTED}')`;

/** The location of a blob. */
export interface BlobPlace {
  readonly account: StorageAccount;
  readonly key: string;
}

/** A blob to delete. With `parts`, also the multipart upload that would have become the blob. */
interface Deletion extends BlobPlace {
  readonly parts?: { readonly uploadId?: string };
}

const DELETE_BLOB = defineJob<Deletion>('storage.delete-blob', { maxAttempts: 20, jobClass: 'store' });

/** Drops parts that were sent after their upload became a blob. The blob stays. */
const DROP_PARTS = defineJob<BlobPlace>('storage.drop-parts', { maxAttempts: 20, jobClass: 'store' });

/** The time that a deletion waits for a running backup before it checks again. */
const BACKUP_RETRY_MS = 60_000;

/** Finds the store of a blob, and deletes blobs after the commit. */
@Injectable()
export class StorageService implements OnModuleInit {
  constructor(
    private readonly hosted: HostedStoreService,
    private readonly accounts: StorageAccountsRepository,
    private readonly customers: CustomerStoresService,
    private readonly circuits: StoreCircuitsService,
    private readonly backup: RunningBackup,
    private readonly jobs: Jobs,
    private readonly config: StorageConfig,
  ) {}

  /** Whether downloads are streamed by this service, or redirected to the store. */
  get delivery(): StorageConfig['downloadDelivery'] {
    return this.config.downloadDelivery;
  }

  onModuleInit(): void {
    this.jobs.register(DELETE_BLOB, (ctx, deletion) => this.deleteNow(ctx, deletion));
    this.jobs.register(DROP_PARTS, (ctx, { account, key }) =>
      this.withStore(ctx, account, (store) => store.parts.abort(key)),
    );
    this.jobs.schedule(
      'storage.sweep-temporary',
      '*/10 * * * *',
      (ctx) => this.hosted.sweepTemporary(ctx.clock.now()),
      { jobClass: 'store' },
    );
  }

  /**
   * Opens the store of an account. Reads the account from the database each time, so that changes by other processes apply immediately.
   * @throws AppError storage_backend_unavailable when the account was removed.
   */
  async storeOf(ctx: RequestContext, account: StorageAccount): Promise<BlobStore> {
    const store = await this.findStore(ctx, account);
    if (store) return store;
    throw new AppError('storage_backend_unavailable', { cause: `unknown storage account ${account}` });
  }

  /** Deletes many blobs like `deleteLater`. The caller has deleted the only rows that named them, so no other deletion of them is queued. */
  async deleteAllLater(ctx: RequestContext, places: readonly BlobPlace[]): Promise<void> {
    const byAccount = new Map<StorageAccount, Deletion[]>();
    for (const { account, key } of places) {
      const deletions = byAccount.get(account);
      if (deletions) deletions.push({ account, key });
      else byAccount.set(account, [{ account, key }]);
    }
    for (const [account, deletions] of byAccount) {
      await this.jobs.enqueueAll(ctx, DELETE_BLOB, deletions, queueOf(account));
    }
  }

  /** Deletes a blob after the commit, with retries. */
  deleteLater(ctx: RequestContext, place: BlobPlace): Promise<void> {
    return this.enqueue(ctx, place);
  }

  /**
   * Aborts a multipart upload after the commit, with retries, and deletes the blob if there is one.
   * @param uploadId null when it is not known whether the multipart upload was started.
   */
  abortLater(ctx: RequestContext, place: BlobPlace, uploadId: string | null): Promise<void> {
    return this.enqueue(ctx, { ...place, parts: uploadId === null ? {} : { uploadId } });
  }

  /** Drops, at `runAt`, the parts that were sent after the upload became a blob. The blob stays. */
  dropPartsLater(ctx: RequestContext, { account, key }: BlobPlace, runAt: Date): Promise<void> {
    const options = { key: `${account}/${key}/parts`, runAt, ...queueOf(account) };
    return this.jobs.enqueue(ctx, DROP_PARTS, { account, key }, options);
  }

  /** The number of blobs still to be deleted from a customer's account. */
  countDeletions(ctx: RequestContext, account: StorageAccount): Promise<number> {
    return this.accounts.countDeletions(ctx, account);
  }

  /** @throws AppError storage_backend_unavailable when the hosted store cannot store artifacts now. */
  check(): Promise<void> {
    return this.hosted.store.check();
  }

  /** @throws AppError storage_backend_unavailable when the hosted store is local and has too little room for `bytes` more. */
  requireRoom(bytes: number): Promise<void> {
    return this.hosted.requireRoom(bytes);
  }

  /** Whether uploads are rejected because the hosted store is local and has too little room. Null for other stores. */
  async isRoomLow(): Promise<boolean | null> {
    const room = await this.hosted.room();
    return room && room.freeBytes < room.minFreeBytes;
  }

  /** Waits while a backup runs, which may still copy the blob. */
  private async deleteNow(ctx: RequestContext, deletion: Deletion): Promise<void> {
    const { account, key, parts } = deletion;
    if (await this.backup.isActive(ctx)) {
      const runAt = new Date(ctx.clock.now().getTime() + BACKUP_RETRY_MS);
      // Enqueued without a job key, because the running job still has it.
      return this.enqueue(ctx, deletion, { runAt });
    }
    await this.withStore(ctx, account, async (store) => {
      if (parts) await store.parts.abort(key, parts.uploadId);
      await store.delete(key);
    });
  }

  /** Does a job's work on a store. Does nothing for an account that was removed. @throws CircuitOpenError */
  private withStore(
    ctx: RequestContext,
    account: StorageAccount,
    work: (store: BlobStore) => Promise<void>,
  ): Promise<void> {
    const owner = account === HOSTED ? 'hosted' : 'customer';
    return this.circuits.run({ account, owner }, async () => {
      const store = await this.findStore(ctx, account);
      if (store) await work(store);
    });
  }

  private async findStore(ctx: RequestContext, account: StorageAccount): Promise<BlobStore | null> {
    if (account === HOSTED) return this.hosted.store;
    const row = isUuid(account) ? await this.accounts.findById(ctx, account) : null;
    return row && this.customers.open(row);
  }

  private enqueue(
    ctx: RequestContext,
    { account, key, parts }: Deletion,
    options: EnqueueOptions = { key: `${account}/${key}` },
  ): Promise<void> {
    const deletion = { account, key, ...(parts && { parts }) };
    return this.jobs.enqueue(ctx, DELETE_BLOB, deletion, { ...options, ...queueOf(account) });
  }
}

/** One queue per customer's store, so that a store that hangs blocks one worker only. */
const queueOf = (account: StorageAccount): EnqueueOptions => (account === HOSTED ? {} : { queue: account });
