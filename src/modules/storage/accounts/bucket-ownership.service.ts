import { Readable } from 'node:stream';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { StorageConfig } from '#infra/config/config';
import { rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { Jobs } from '#infra/jobs/jobs';
import { HostedStoreService } from './hosted-store.service';

const PREFIX = 'installations/';

/**
 * Detects that two installations share the hosted store, for example a staging installation that is configured with the production
 * bucket. Each would take the other's artifacts for orphans. So each installation writes a marker named after its database, within
 * its first hour and therefore before any of its artifacts is old enough to count as an orphan.
 */
@Injectable()
export class BucketOwnershipService implements OnModuleInit {
  constructor(
    private readonly hosted: HostedStoreService,
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
    private readonly config: StorageConfig,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('storage.sign', '41 * * * *', (ctx) => this.claim(ctx), { jobClass: 'store' });
  }

  /** Writes the marker of this installation. A local folder needs none, because no other installation uses it. */
  async claim(ctx: RequestContext): Promise<void> {
    if (this.config.provider === 'local') return;
    const key = await this.ownKey(ctx);
    if (await this.hosted.store.head(key)) return;
    await this.hosted.store
      .write(key, Readable.from(['An installation of Agate stores artifacts here.\n']))
      .catch(ignoreExisting);
  }

  /** The keys of the markers of other installations. */
  async otherOwners(ctx: RequestContext): Promise<readonly string[]> {
    const own = await this.ownKey(ctx);
    const keys: string[] = [];
    for await (const { key } of this.hosted.store.list(PREFIX)) if (key !== own) keys.push(key);
    return keys;
  }

  /** Removes the markers of other installations. A live installation rewrites its marker within an hour. */
  async removeOtherOwners(ctx: RequestContext): Promise<void> {
    for (const key of await this.otherOwners(ctx)) await this.hosted.store.delete(key);
  }

  /** A copy of a database has another system identifier or oid; a replica that takes over has the same. */
  private async ownKey(ctx: RequestContext): Promise<string> {
    const [row] = (await rows(
      this.transactions.manager(ctx),
      `SELECT format('%s-%s', system_identifier, oid) AS id FROM pg_control_system(), pg_database WHERE datname = current_database()`,
    )) as [{ id: string }];
    return PREFIX + row.id;
  }
}

function ignoreExisting(error: unknown): void {
  if (!(error instanceof AppError) || error.errorCase !== 'already_exists') throw error;
}
