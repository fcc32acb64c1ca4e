import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { type BlobStore } from '#platform/blob/blob-store';
import { defineJob } from '#platform/jobs/job-kind';
import { Jobs } from '#platform/jobs/jobs';
import { HostedStore } from './hosted-store';

/** Names the account that holds a blob. Each build remembers its own, so that a change of account never loses one. */
export type StorageAccount = string;

/** The operator's own store, for every organization that brings none. */
export const HOSTED: StorageAccount = 'hosted';

/** A place for a blob. */
export interface BlobPlace {
  readonly account: StorageAccount;
  readonly key: string;
}

const DELETE_BLOB = defineJob<BlobPlace>('storage.delete-blob', { maxAttempts: 20 });

/** Which store a blob is in, or goes to. */
@Injectable()
export class StorageService implements OnModuleInit {
  constructor(
    private readonly hosted: HostedStore,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.register(DELETE_BLOB, (_ctx, { account, key }) => this.storeOf(account).delete(key));
    this.jobs.schedule('storage.sweep-temporary', '*/10 * * * *', (ctx) => this.hosted.sweepTemporary(ctx.clock.now()));
  }

  /** Where new artifacts of an organization go. */
  accountFor(_ctx: RequestContext, _organizationId: string): Promise<StorageAccount> {
    return Promise.resolve(HOSTED);
  }

  storeOf(account: StorageAccount): BlobStore {
    if (account === HOSTED) return this.hosted.store;
    throw new AppError('storage_backend_unavailable', { cause: `unknown storage account ${account}` });
  }

  /** Deletes a blob after the commit, retried until it is gone. */
  deleteLater(ctx: RequestContext, place: BlobPlace): Promise<void> {
    return this.jobs.enqueue(ctx, DELETE_BLOB, place, { key: `${place.account}/${place.key}` });
  }

  /** @throws AppError storage_backend_unavailable when new artifacts could not be stored at this moment. */
  check(): Promise<void> {
    return this.hosted.store.check();
  }
}
