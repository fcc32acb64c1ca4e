import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { type BlobPlace } from '#modules/storage';
import { Transactions } from '#infra/database/transactions';
import { ArtifactUploadEntity } from './artifact-upload.entity';

/** Where an upload that is to be given up has left bytes. */
export interface UploadCleanup extends ProjectScope {
  readonly id: string;
  readonly blob: BlobPlace;
  /** Of an upload in parts: what the store calls it, if that was noted. */
  readonly parts: { readonly uploadId: string | null } | null;
}

/** An upload that nobody is at work on any more. */
export interface ExpiredUpload extends UploadCleanup {
  readonly state: 'pending' | 'abandoned';
}

interface LapsedRow extends ProjectScope {
  readonly id: string;
  readonly state: 'pending' | 'abandoned';
  readonly account: string;
  readonly key: string;
  readonly inParts: boolean;
  readonly storeUploadId: string | null;
}

/** How long an upload may go without a sign of life, and how long its bytes may still arrive after that. */
export const LEASE_SECONDS = 120;
export const LAST_DELETE_SECONDS = 900;

/** The same for an upload in parts, whose addresses live for half an hour; and how old it may become. */
export const PARTS_LEASE_SECONDS = 24 * 3600;
export const PARTS_LAST_DELETE_SECONDS = 45 * 60;
const PARTS_MOST_SECONDS = 7 * 24 * 3600;

/** Leases are told by the database's clock. */
@Injectable()
export class UploadsRepository {
  constructor(private readonly transactions: Transactions) {}

  async insert(
    ctx: RequestContext,
    upload: Omit<ArtifactUploadEntity, 'leasedUntil' | 'createdAt' | 'state'>,
    leaseSeconds: number,
  ): Promise<void> {
    await this.transactions
      .manager(ctx)
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

  async renew(ctx: RequestContext, id: string): Promise<void> {
    await this.transactions
      .manager(ctx)
      .query(
        `UPDATE artifact_upload SET leased_until = app_now() + make_interval(secs => $2) WHERE id = $1 AND state = 'pending'`,
        [id, LEASE_SECONDS],
      );
  }

  /** Keeps a living upload in parts; returns its reservation, or null when it lives no more. */
  keep(ctx: RequestContext, id: string): Promise<string | null> {
    return this.change(
      ctx,
      `UPDATE artifact_upload
       SET leased_until = least(app_now() + make_interval(secs => $2), created_at + make_interval(secs => $3))
       WHERE id = $1 AND state = 'pending' AND leased_until > app_now() RETURNING reservation_id`,
      [id, PARTS_LEASE_SECONDS, PARTS_MOST_SECONDS],
    );
  }

  async rebind(ctx: RequestContext, id: string, reservationId: string): Promise<void> {
    await this.transactions
      .manager(ctx)
      .query(`UPDATE artifact_upload SET reservation_id = $2 WHERE id = $1`, [id, reservationId]);
  }

  /**
   * Ends a living upload, in the transaction that makes its build; returns its reservation, or null when its lease ran out: the
   * sweeper has it.
   */
  finish(ctx: RequestContext, id: string): Promise<string | null> {
    return this.change(
      ctx,
      `DELETE FROM artifact_upload WHERE id = $1 AND state = 'pending' AND leased_until > app_now()
       RETURNING reservation_id`,
      [id],
    );
  }

  /**
   * Gives an upload up; returns its reservation, or null when it is no more pending, because its build was committed after all or
   * another gave it up.
   */
  abandon(ctx: RequestContext, id: string): Promise<string | null> {
    return this.change(
      ctx,
      `UPDATE artifact_upload u SET state = 'abandoned', leased_until = app_now() + make_interval(secs =>
         CASE WHEN EXISTS (SELECT FROM resumable_upload r WHERE r.id = u.id) THEN $3::int ELSE $2::int END)
       WHERE id = $1 AND state = 'pending' RETURNING reservation_id`,
      [id, LAST_DELETE_SECONDS, PARTS_LAST_DELETE_SECONDS],
    );
  }

  async forget(ctx: RequestContext, id: string): Promise<void> {
    await this.transactions
      .manager(ctx)
      .query(`DELETE FROM artifact_upload WHERE id = $1 AND state = 'abandoned'`, [id]);
  }

  /** Those that have lapsed, the oldest first. */
  async findLapsed(ctx: RequestContext): Promise<readonly string[]> {
    const rows: { id: string }[] = await this.transactions
      .manager(ctx)
      .query(`SELECT id FROM artifact_upload WHERE leased_until <= app_now() ORDER BY leased_until`);
    return rows.map(({ id }) => id);
  }

  /** One that has lapsed, locked; null when it has not any more, or another sweeper has it. */
  async lockLapsed(ctx: RequestContext, id: string): Promise<ExpiredUpload | null> {
    const rows: LapsedRow[] = await this.transactions.manager(ctx).query(
      `SELECT u.id, u.organization_id AS "organizationId", u.project_id AS "projectId", u.state,
              u.storage_account AS account, u.blob_key AS key, r.id IS NOT NULL AS "inParts",
              r.store_upload_id AS "storeUploadId"
       FROM artifact_upload u LEFT JOIN resumable_upload r ON r.id = u.id
       WHERE u.id = $1 AND u.leased_until <= app_now() FOR UPDATE OF u SKIP LOCKED`,
      [id],
    );
    if (!rows[0]) return null;
    const { account, key, inParts, storeUploadId, ...row } = rows[0];
    return { ...row, blob: { account, key }, parts: inParts ? { uploadId: storeUploadId } : null };
  }

  private async change(ctx: RequestContext, statement: string, parameters: unknown[]): Promise<string | null> {
    const [rows]: [{ reservation_id: string }[], number] = await this.transactions
      .manager(ctx)
      .query(statement, parameters);
    return rows[0]?.reservation_id ?? null;
  }
}
