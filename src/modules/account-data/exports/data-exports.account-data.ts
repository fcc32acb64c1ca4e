import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type AccountErasure } from '#kernel/account-data';
import { type RequestContext } from '#kernel/context/request-context';
import { Transactions } from '#infra/database/transactions';
import { Jobs } from '#infra/jobs/jobs';
import { DevelopersService } from '#modules/developers';
import { HOSTED, StorageService } from '#modules/storage';
import { archiveKeyOf } from './data-export';
import { DataExportsRepository } from './data-exports.repository';

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

  private async deleteArchives(tx: RequestContext, ids: readonly string[]): Promise<void> {
    for (const id of ids) await this.storage.deleteLater(tx, { account: HOSTED, key: archiveKeyOf(id) });
  }
}
