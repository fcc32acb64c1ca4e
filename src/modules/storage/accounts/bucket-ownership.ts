import { Readable } from 'node:stream';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { StorageConfig } from '#infra/config/config';
import { Transactions } from '#infra/database/transactions';
import { Jobs } from '#infra/jobs/jobs';
import { HostedStore } from './hosted-store';

const PREFIX = 'installations/';

/**
 * Who keeps artifacts in the hosted store. A bucket is for one installation alone, but nothing keeps a staging one from being
 * configured with production's, and what the one has stored the other takes for nobody's. So each signs, by a blob that is named
 * after its database, within its first hour, long before an artifact of it is old enough to count as an orphan.
 */
@Injectable()
export class BucketOwnership implements OnModuleInit {
  constructor(
    private readonly hosted: HostedStore,
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
    private readonly config: StorageConfig,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('storage.sign', '41 * * * *', (ctx) => this.sign(ctx));
  }

  /** A folder of this machine needs no name on it. */
  async sign(ctx: RequestContext): Promise<void> {
    if (this.config.provider === 'local') return;
    const key = await this.ownKey(ctx);
    if (await this.hosted.store.head(key)) return;
    await this.hosted.store
      .write(key, Readable.from(['An installation of Agate keeps artifacts here.\n']))
      .catch(isThere);
  }

  /** The blobs that name others. */
  async others(ctx: RequestContext): Promise<readonly string[]> {
    const own = await this.ownKey(ctx);
    const keys: string[] = [];
    for await (const { key } of this.hosted.store.list(PREFIX)) if (key !== own) keys.push(key);
    return keys;
  }

  /** Because they are no more. One that still is signs again. */
  async forgetOthers(ctx: RequestContext): Promise<void> {
    for (const key of await this.others(ctx)) await this.hosted.store.delete(key);
  }

  /** A copy of a database is another installation; a stand-by that takes over is the same. */
  private async ownKey(ctx: RequestContext): Promise<string> {
    const [row] = await this.transactions
      .manager(ctx)
      .query<[{ id: string }]>(
        `SELECT format('%s-%s', system_identifier, oid) AS id FROM pg_control_system(), pg_database WHERE datname = current_database()`,
      );
    return PREFIX + row.id;
  }
}

function isThere(error: unknown): void {
  if (!(error instanceof AppError) || error.errorCase !== 'already_exists') throw error;
}
