import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type AccountErasure } from '#kernel/account-data';
import { type RequestContext } from '#kernel/context/request-context';
import { Transactions } from '#infra/database/transactions';
import { Jobs } from '#infra/jobs/jobs';
import { DevelopersService } from '#modules/developers';
import { HOSTED, StorageService } from '#modules/storage';
import { keysOf } from './data-export';
import { DataExportsRepository, type DeletedExport } from './data-exports.repository';

/** Deletes archives: when they expire, and with the account or organization whose data they hold. */
@Injectable()
export class DataExportsErasure implements AccountErasure, OnModuleInit {
  constructor(
    private readonly repository: DataExportsRepository,
    private readonly developers: DevelopersService,
    private readonly storage: StorageService,
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.developers.deletion.add((tx, developerId) => this.eraseDeveloper(tx, developerId));
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

  private async deleteArchives(tx: RequestContext, deleted: readonly DeletedExport[]): Promise<void> {
    const places = deleted.flatMap(keysOf).map((key) => ({ account: HOSTED, key }));
    await this.storage.deleteAllLater(tx, places);
  }
}
