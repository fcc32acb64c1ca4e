import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type AccountErasure } from '#kernel/account-data';
import { type RequestContext } from '#kernel/context/request-context';
import { Transactions } from '#infra/database/transactions';
import { Jobs } from '#infra/jobs/jobs';
import { DevelopersService } from '#modules/developers';
import { OrganizationsService } from '#modules/organizations';
import { HOSTED, StorageService } from '#modules/storage';
import { EXPORTS, keysOf } from './data-export';
import { DataExportsRepository, type DeletedExport } from './data-exports.repository';

/**
 * An archive is deleted a day after it is ready, and its parts a day after the export was requested. Older blobs are forgotten: no row names
 * them, because the database is a restored backup.
 */
const FORGOTTEN_AFTER_MS = 48 * 3_600_000;

/** Deletes archives: when they expire, and with the account or organization whose data they hold. */
@Injectable()
export class DataExportsErasure implements AccountErasure, OnModuleInit {
  constructor(
    private readonly repository: DataExportsRepository,
    private readonly developers: DevelopersService,
    private readonly organizations: OrganizationsService,
    private readonly storage: StorageService,
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.developers.deletion.add((tx, developerId) => this.eraseDeveloper(tx, developerId));
    this.organizations.deleting.add((tx, organizationId) => this.eraseRest(tx, organizationId));
    this.jobs.schedule('account-data.sweep-exports', '43 3 * * *', (ctx) => this.sweep(ctx), { jobClass: 'store' });
    this.jobs.schedule('account-data.delete-exports', '*/10 * * * *', (ctx) =>
      this.transactions.run(ctx, async (tx) => this.deleteArchives(tx, await this.repository.deleteExpired(tx))),
    );
  }

  async eraseRest(tx: RequestContext, organizationId: string): Promise<void> {
    await this.deleteArchives(tx, await this.repository.deleteOfOrganization(tx, organizationId));
  }

  async eraseDeveloper(tx: RequestContext, developerId: string): Promise<void> {
    await this.deleteArchives(tx, await this.repository.deleteOfDeveloper(tx, developerId));
  }

  private async sweep(ctx: RequestContext): Promise<void> {
    const store = await this.storage.storeOf(ctx, HOSTED);
    const before = new Date(ctx.clock.now().getTime() - FORGOTTEN_AFTER_MS);
    for await (const { key, modifiedAt } of store.list(EXPORTS)) {
      if (modifiedAt < before) await this.storage.deleteLater(ctx, { account: HOSTED, key });
    }
  }

  private async deleteArchives(tx: RequestContext, deleted: readonly DeletedExport[]): Promise<void> {
    const places = deleted.flatMap(keysOf).map((key) => ({ account: HOSTED, key }));
    await this.storage.deleteAllLater(tx, places);
  }
}
