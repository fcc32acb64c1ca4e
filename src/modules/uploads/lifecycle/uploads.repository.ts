import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { changed, one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { ArtifactUploadEntity } from './artifact-upload.entity';
import { type ExpiredUpload } from './upload';

interface ExpiredRow extends ProjectScope {
  readonly id: string;
  readonly state: 'pending' | 'abandoned';
  readonly account: string;
  readonly key: string;
  readonly isResumable: boolean;
  readonly storeUploadId: string | null;
}

/** Lease of an upload in one request, and how long after its end bytes may still arrive in the store. */
export const LEASE_SECONDS = 120;
export const LAST_DELETE_SECONDS = 900;

/** The lease of a resumable upload, whose part URLs are valid for half an hour, and the limit of its lifetime. */
export const RESUMABLE_LEASE_SECONDS = 24 * 3600;
export const RESUMABLE_LAST_DELETE_SECONDS = 45 * 60;
const RESUMABLE_MAX_SECONDS = 7 * 24 * 3600;

/** The intent rows of uploads. Leases use the database's clock. */
@Injectable()
export class UploadsRepository {
  constructor(private readonly transactions: Transactions) {}

  async insert(
    ctx: RequestContext,
    upload: Omit<ArtifactUploadEntity, 'leasedUntil' | 'createdAt' | 'state'>,
    leaseSeconds: number,
  ): Promise<void> {
    await this.manager(ctx)
      .createQueryBuilder()
      .insert()
      .into(ArtifactUploadEntity)
      .values({
        ...upload,
        state: 'pending',
        createdAt: ctx.clock.now(),
        leasedUntil: () => `app_now() + make_interval(secs => ${leaseSeconds})`,
      })
      .execute();
  }

  /**
   * Counts the uploads in one request that run at this moment, of the organization and of the uploader in all organizations. Until the
   * transaction ends, no other upload of either can be counted.
   */
  async countRunning(
    tx: RequestContext,
    organizationId: string,
    uploader: string,
  ): Promise<{ readonly organization: number; readonly uploader: number }> {
    await this.transactions.advisoryLock(tx, `uploads-at-once|${organizationId}`, `uploads-at-once|${uploader}`);
    const counted = await one<{ organization: number; uploader: number }>(
      this.manager(tx),
      `SELECT count(*) FILTER (WHERE organization_id = $1)::int AS organization,
              count(*) FILTER (WHERE uploader = $2)::int AS uploader
       FROM artifact_upload
       WHERE state = 'pending' AND leased_until > app_now() AND uploader IS NOT NULL
         AND (organization_id = $1 OR uploader = $2)`,
      [organizationId, uploader],
    );
    return counted ?? { organization: 0, uploader: 0 };
  }

  /** Extends the lease of an upload in one request. */
  async renewLease(ctx: RequestContext, id: string): Promise<void> {
    await changed(
      this.manager(ctx),
      `UPDATE artifact_upload SET leased_until = app_now() + make_interval(secs => $2) WHERE id = $1 AND state = 'pending'`,
      [id, LEASE_SECONDS],
    );
  }

  /** Extends the lease of a resumable upload. @returns its reservation; null when the upload is not pending, or has expired. */
  renewResumableLease(ctx: RequestContext, id: string): Promise<string | null> {
    return this.reservationOf(
      ctx,
      `UPDATE artifact_upload
       SET leased_until = least(app_now() + make_interval(secs => $2), created_at + make_interval(secs => $3))
       WHERE id = $1 AND state = 'pending' AND leased_until > app_now() RETURNING reservation_id AS "reservationId"`,
      [id, RESUMABLE_LEASE_SECONDS, RESUMABLE_MAX_SECONDS],
    );
  }

  async setReservation(ctx: RequestContext, id: string, reservationId: string): Promise<void> {
    await changed(this.manager(ctx), `UPDATE artifact_upload SET reservation_id = $2 WHERE id = $1`, [
      id,
      reservationId,
    ]);
  }

  /** Deletes the row of a pending upload. @returns its reservation; null when the lease has expired: the sweep cancels it. */
  finish(ctx: RequestContext, id: string): Promise<string | null> {
    return this.reservationOf(
      ctx,
      `DELETE FROM artifact_upload WHERE id = $1 AND state = 'pending' AND leased_until > app_now()
       RETURNING reservation_id AS "reservationId"`,
      [id],
    );
  }

  /** Marks a pending upload as abandoned. @returns its reservation; null when it is a build, or is already abandoned. */
  abandon(ctx: RequestContext, id: string): Promise<string | null> {
    return this.reservationOf(
      ctx,
      `UPDATE artifact_upload u SET state = 'abandoned', leased_until = app_now() + make_interval(secs =>
         CASE WHEN EXISTS (SELECT FROM resumable_upload r WHERE r.id = u.id) THEN $3::int ELSE $2::int END)
       WHERE id = $1 AND state = 'pending' RETURNING reservation_id AS "reservationId"`,
      [id, LAST_DELETE_SECONDS, RESUMABLE_LAST_DELETE_SECONDS],
    );
  }

  async deleteRow(ctx: RequestContext, id: string): Promise<void> {
    await changed(this.manager(ctx), `DELETE FROM artifact_upload WHERE id = $1 AND state = 'abandoned'`, [id]);
  }

  /** The ids of uploads whose lease has expired, the oldest first. */
  async findExpired(ctx: RequestContext): Promise<readonly string[]> {
    const expired = await rows<{ id: string }>(
      this.manager(ctx),
      `SELECT id FROM artifact_upload WHERE leased_until <= app_now() ORDER BY leased_until`,
    );
    return expired.map(({ id }) => id);
  }

  /** Locks an upload whose lease has expired. Null when it was renewed, or another sweep has locked it. */
  async lockExpired(ctx: RequestContext, id: string): Promise<ExpiredUpload | null> {
    const found = await one<ExpiredRow>(
      this.manager(ctx),
      `SELECT u.id, u.organization_id AS "organizationId", u.project_id AS "projectId", u.state,
              u.storage_account AS account, u.blob_key AS key, r.id IS NOT NULL AS "isResumable",
              r.store_upload_id AS "storeUploadId"
       FROM artifact_upload u LEFT JOIN resumable_upload r ON r.id = u.id
       WHERE u.id = $1 AND u.leased_until <= app_now() FOR UPDATE OF u SKIP LOCKED`,
      [id],
    );
    if (!found) return null;
    const { account, key, isResumable, storeUploadId, ...row } = found;
    return { ...row, blob: { account, key }, parts: isResumable ? { uploadId: storeUploadId } : null };
  }

  private async reservationOf(ctx: RequestContext, statement: string, values: unknown[]): Promise<string | null> {
    return (await one<{ reservationId: string }>(this.manager(ctx), statement, values))?.reservationId ?? null;
  }

  private manager(ctx: RequestContext) {
    return this.transactions.manager(ctx);
  }
}
