import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { Transactions } from '#infra/database/transactions';
import { type UploadedBuild } from '../catalogue/build';
import { ResumableUploadEntity } from './resumable-upload.entity';
import { type ResumableUpload } from './resumable-upload';

interface Row extends ResumableUploadEntity {
  readonly storageAccount: string | null;
  readonly blobKey: string;
  readonly reservationId: string;
  readonly expiresAt: Date;
}

/** An upload whose intent row is no more pending, and that has not become a build, is not there any more. */
@Injectable()
export class ResumableUploadsRepository {
  constructor(private readonly transactions: Transactions) {}

  async insert(ctx: RequestContext, upload: ResumableUploadEntity): Promise<void> {
    await this.transactions.manager(ctx).insert(ResumableUploadEntity, upload);
  }

  async find(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    id: string,
  ): Promise<ResumableUpload | null> {
    const rows: Row[] = await this.transactions.manager(ctx).query(
      `SELECT r.id, r.organization_id AS "organizationId", r.project_id AS "projectId", r.file_name AS "fileName",
              r.size_bytes AS "sizeBytes", r.part_size_bytes AS "partSizeBytes", r.draft, r.build_id AS "buildId",
              r.release_id AS "releaseId",
              r.store_upload_id AS "storeUploadId", u.storage_account AS "storageAccount", u.blob_key AS "blobKey",
              u.reservation_id AS "reservationId", u.leased_until AS "expiresAt"
       FROM resumable_upload r
       LEFT JOIN artifact_upload u ON u.id = r.id AND u.state = 'pending' AND u.leased_until > app_now()
       WHERE r.organization_id = $1 AND r.project_id = $2 AND r.id = $3 AND (u.id IS NOT NULL OR r.build_id IS NOT NULL)`,
      [organizationId, projectId, id],
    );
    return rows[0] ? restore(rows[0]) : null;
  }

  /**
   * The same; whoever else locks it waits until this transaction ends. The lock is a statement of its own, so that what is read
   * after it is what the transaction before has left.
   */
  async lock(ctx: RequestContext, scope: ProjectScope, id: string): Promise<ResumableUpload | null> {
    await this.transactions
      .manager(ctx)
      .query('SELECT 1 FROM resumable_upload WHERE organization_id = $1 AND project_id = $2 AND id = $3 FOR UPDATE', [
        scope.organizationId,
        scope.projectId,
        id,
      ]);
    return this.find(ctx, scope, id);
  }

  async countOpen(ctx: RequestContext, { organizationId, projectId }: ProjectScope): Promise<number> {
    const rows: { open: number }[] = await this.transactions.manager(ctx).query(
      `SELECT count(*)::int AS open FROM resumable_upload r
       JOIN artifact_upload u ON u.id = r.id AND u.state = 'pending' AND u.leased_until > app_now()
       WHERE r.organization_id = $1 AND r.project_id = $2`,
      [organizationId, projectId],
    );
    return rows[0]?.open ?? 0;
  }

  /** Notes the store's name for the upload, unless another has; returns the one that is noted. */
  async noteStoreUploadId(ctx: RequestContext, id: string, storeUploadId: string): Promise<string | null> {
    const [rows]: [{ noted: string }[], number] = await this.transactions.manager(ctx).query(
      `UPDATE resumable_upload SET store_upload_id = coalesce(store_upload_id, $2)
       WHERE id = $1 RETURNING store_upload_id AS noted`,
      [id, storeUploadId],
    );
    return rows[0]?.noted ?? null;
  }

  async complete(ctx: RequestContext, id: string, build: Pick<UploadedBuild, 'id' | 'releaseId'>): Promise<void> {
    await this.transactions
      .manager(ctx)
      .query(`UPDATE resumable_upload SET build_id = $2, release_id = $3, completed_at = app_now() WHERE id = $1`, [
        id,
        build.id,
        build.releaseId,
      ]);
  }

  /** Forgets those whose intent row is gone, and a day later those that have become builds. */
  async prune(ctx: RequestContext): Promise<void> {
    await this.transactions.manager(ctx).query(
      `DELETE FROM resumable_upload r WHERE completed_at < app_now() - interval '1 day'
          OR (build_id IS NULL AND NOT EXISTS (SELECT 1 FROM artifact_upload u WHERE u.id = r.id))`,
    );
  }
}

const restore = ({ storageAccount, blobKey, reservationId, expiresAt, ...row }: Row): ResumableUpload => ({
  ...row,
  sizeBytes: Number(row.sizeBytes),
  partSizeBytes: Number(row.partSizeBytes),
  pending:
    storageAccount === null ? null : { blob: { account: storageAccount, key: blobKey }, reservationId, expiresAt },
});
