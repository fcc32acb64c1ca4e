import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { isUuid } from '#kernel/ids';
import { RunningBackup } from '#infra/database/running-backup';
import { type BlobStore } from '#infra/blob/blob-store';
import { StorageConfig } from '#infra/config/config';
import { defineJob } from '#infra/jobs/job-kind';
import { type EnqueueOptions, Jobs } from '#infra/jobs/jobs';
import { CustomerStores } from './accounts/customer-stores';
import { HostedStore } from './accounts/hosted-store';
import { StorageAccountsRepository } from './accounts/storage-accounts.repository';

/** Names the account that holds a blob. Each build remembers its own, so that a change of account never loses one. */
export type StorageAccount = string;

/** The operator's own store, for every organization that brings none. */
export const HOSTED: StorageAccount = 'hosted';

/** A place for a blob. */
export interface BlobPlace {
  readonly account: StorageAccount;
  readonly key: string;
}

/** What is to be deleted: a blob, and with `parts` also the upload in parts that was to become it. */
interface Deletion extends BlobPlace {
  readonly parts?: { readonly uploadId?: string };
}

const DELETE_BLOB = defineJob<Deletion>('storage.delete-blob', { maxAttempts: 20 });

/** What came to the addresses of an upload's parts after they had become a blob, which stays. */
const DROP_PARTS = defineJob<BlobPlace>('storage.drop-parts', { maxAttempts: 20 });

/** How long a deletion waits before it looks again whether a backup is still being made. */
const REST_MS = 60_000;

/** Which store a blob is in, or goes to. */
@Injectable()
export class StorageService implements OnModuleInit {
  constructor(
    private readonly hosted: HostedStore,
    private readonly accounts: StorageAccountsRepository,
    private readonly customers: CustomerStores,
    private readonly backup: RunningBackup,
    private readonly jobs: Jobs,
    private readonly config: StorageConfig,
  ) {}

  /** How a download leaves: through this service, or by a redirect to the store that holds it. */
  get delivery(): StorageConfig['downloadDelivery'] {
    return this.config.downloadDelivery;
  }

  onModuleInit(): void {
    this.jobs.register(DELETE_BLOB, (ctx, deletion) => this.deleteNow(ctx, deletion));
    this.jobs.register(DROP_PARTS, async (ctx, { account, key }) => {
      await (await this.findStore(ctx, account))?.parts.abort(key);
    });
    this.jobs.schedule('storage.sweep-temporary', '*/10 * * * *', (ctx) => this.hosted.sweepTemporary(ctx.clock.now()));
  }

  /** Where new artifacts of an organization go. In a transaction it stays so until the end of that. */
  async accountFor(ctx: RequestContext, organizationId: string): Promise<StorageAccount> {
    return (await this.accounts.keepReceiving(ctx, organizationId)) ?? HOSTED;
  }

  /**
   * The store of an account, as the database knows it at this moment: what was changed by another process counts at once.
   * @throws AppError storage_backend_unavailable for an account that is no more.
   */
  async storeOf(ctx: RequestContext, account: StorageAccount): Promise<BlobStore> {
    const store = await this.findStore(ctx, account);
    if (store) return store;
    throw new AppError('storage_backend_unavailable', { cause: `unknown storage account ${account}` });
  }

  /** Deletes a blob after the commit, retried until it is gone. */
  deleteLater(ctx: RequestContext, place: BlobPlace): Promise<void> {
    return this.enqueue(ctx, place);
  }

  /** The same for an upload in parts. @param uploadId null when it was not noted whether one was begun. */
  abortLater(ctx: RequestContext, place: BlobPlace, uploadId: string | null): Promise<void> {
    return this.enqueue(ctx, { ...place, parts: uploadId === null ? {} : { uploadId } });
  }

  /** Drops, at a time to come, what has been sent to the addresses of parts since they became the blob. That stays. */
  dropPartsLater(ctx: RequestContext, { account, key }: BlobPlace, runAt: Date): Promise<void> {
    const options = { key: `${account}/${key}/parts`, runAt, ...queueOf(account) };
    return this.jobs.enqueue(ctx, DROP_PARTS, { account, key }, options);
  }

  /** How many blobs have still to go from a customer's account. */
  countDeletions(ctx: RequestContext, account: StorageAccount): Promise<number> {
    return this.accounts.countDeletions(ctx, account);
  }

  /** @throws AppError storage_backend_unavailable when new artifacts could not be stored at this moment. */
  check(): Promise<void> {
    return this.hosted.store.check();
  }

  /** Blobs stay while a backup may still have to copy them. An account that is no more has taken its blobs with it. */
  private async deleteNow(ctx: RequestContext, deletion: Deletion): Promise<void> {
    const { account, key, parts } = deletion;
    if (await this.backup.isActive(ctx)) {
      const runAt = new Date(ctx.clock.now().getTime() + REST_MS);
      // Without a name: this job has it as long as it runs.
      return this.enqueue(ctx, deletion, { runAt });
    }
    const store = await this.findStore(ctx, account);
    if (parts) await store?.parts.abort(key, parts.uploadId);
    await store?.delete(key);
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

/** A customer's store that hangs has one worker wait for it, not all. */
const queueOf = (account: StorageAccount): EnqueueOptions => (account === HOSTED ? {} : { queue: account });
