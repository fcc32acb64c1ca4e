import { Injectable } from '@nestjs/common';
import { type AccountErasure, type ExportedFiles, exportedTable } from '#kernel/account-data';
import { type RequestContext } from '#kernel/context/request-context';
import { one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { StorageService } from './storage.service';

const OWN = 'organization_id = $1';

export const STORAGE_FILES: ExportedFiles = {
  organization: [
    exportedTable('storage_account', "The organization's own storage, without the credentials.", {
      from: 'storage_account',
      columns: 'id, provider, place, state, receives, created_at, updated_at',
      where: OWN,
    }),
  ],
};

@Injectable()
export class StorageErasure implements AccountErasure {
  constructor(
    private readonly transactions: Transactions,
    private readonly storage: StorageService,
  ) {}

  /** Counts the blobs that have still to be deleted from the organization's own storage. */
  async countPending(ctx: RequestContext, organizationId: string): Promise<number> {
    const sql = `SELECT id FROM storage_account WHERE ${OWN}`;
    const own = await one<{ id: string }>(this.transactions.manager(ctx), sql, [organizationId]);
    return own ? this.storage.countDeletions(ctx, own.id) : 0;
  }

  async eraseRest(tx: RequestContext, organizationId: string): Promise<void> {
    await rows(this.transactions.manager(tx), `DELETE FROM storage_account WHERE ${OWN}`, [organizationId]);
  }
}
