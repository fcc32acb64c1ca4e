import { Injectable } from '@nestjs/common';
import { type AccountErasure, type ExportedFiles, exportedTable } from '#kernel/account-data';
import { type RequestContext } from '#kernel/context/request-context';
import { one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { HOSTED } from '#modules/storage';

const OWN = 'organization_id = $1';

export const UPLOADS_FILES: ExportedFiles = {
  organization: [
    exportedTable('resumable_uploads', 'Resumable uploads: in progress, or completed in the last days.', {
      from: 'resumable_upload',
      columns:
        'id, project_id, file_name, size_bytes, draft, build_id, release_id, attachment_id, created_by_kind, created_by_id, created_at, completed_at',
      where: OWN,
    }),
  ],
};

/** The sweep deletes the rows, after the bytes. */
@Injectable()
export class UploadsErasure implements AccountErasure {
  constructor(private readonly transactions: Transactions) {}

  /** Ends the leases of running uploads, which the sweep then cancels, and removes the names and texts that they hold. */
  async endAccess(tx: RequestContext, organizationId: string): Promise<void> {
    const database = this.transactions.manager(tx);
    await rows(database, `UPDATE resumable_upload SET file_name = 'erased', draft = '{}' WHERE ${OWN}`, [
      organizationId,
    ]);
    await rows(
      database,
      `UPDATE artifact_upload SET leased_until = least(leased_until, $2) WHERE ${OWN} AND state = 'pending'`,
      [organizationId, tx.clock.now()],
    );
  }

  /** Counts the uploads into the organization's own storage that the sweep has still to cancel. */
  async countPending(ctx: RequestContext, organizationId: string): Promise<number> {
    const row = await one<{ uploads: number }>(
      this.transactions.manager(ctx),
      `SELECT count(*)::int AS uploads FROM artifact_upload WHERE ${OWN} AND storage_account <> $2`,
      [organizationId, HOSTED],
    );
    return row?.uploads ?? 0;
  }
}
