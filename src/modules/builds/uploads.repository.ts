import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { Transactions } from '#platform/database/transactions';
import { ArtifactUploadEntity } from './artifact-upload.entity';

/** An upload that nobody is at work on any more. */
export interface LapsedUpload {
  readonly id: string;
  readonly state: 'pending' | 'abandoned';
  readonly storageAccount: string;
  readonly blobKey: string;
  readonly reservationId: string;
}

/** How long an upload may go without a sign of life, and how long its bytes may still arrive after that. */
export const LEASE_SECONDS = 120;
export const LAST_DELETE_SECONDS = 900;

/** Leases are told by the database's clock. */
@Injectable()
export class UploadsRepository {
  constructor(private readonly transactions: Transactions) {}

  async insert(
    ctx: RequestContext,
    upload: Omit<ArtifactUploadEntity, 'leasedUntil' | 'createdAt' | 'state'>,
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
        leasedUntil: () => `app_now() + make_interval(secs => ${LEASE_SECONDS})`,
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

  /** Ends a living upload, in the transaction that makes its build; false when its lease ran out: the sweeper has it. */
  async finish(ctx: RequestContext, id: string): Promise<boolean> {
    const [, removed]: [unknown, number] = await this.transactions
      .manager(ctx)
      .query(`DELETE FROM artifact_upload WHERE id = $1 AND state = 'pending' AND leased_until > app_now()`, [id]);
    return removed === 1;
  }

  /** Gives an upload up; false when it is no more pending, because its build was committed after all or another gave it up. */
  async abandon(ctx: RequestContext, id: string): Promise<boolean> {
    const [, changed]: [unknown, number] = await this.transactions.manager(ctx).query(
      `UPDATE artifact_upload SET state = 'abandoned', leased_until = app_now() + make_interval(secs => $2)
         WHERE id = $1 AND state = 'pending'`,
      [id, LAST_DELETE_SECONDS],
    );
    return changed === 1;
  }

  async forget(ctx: RequestContext, id: string): Promise<void> {
    await this.transactions
      .manager(ctx)
      .query(`DELETE FROM artifact_upload WHERE id = $1 AND state = 'abandoned'`, [id]);
  }

  /** One that has lapsed, locked so that two sweepers take different ones. */
  async lockLapsed(ctx: RequestContext): Promise<LapsedUpload | null> {
    const rows: LapsedUpload[] = await this.transactions.manager(ctx).query(
      `SELECT id, state, storage_account AS "storageAccount", blob_key AS "blobKey", reservation_id AS "reservationId"
       FROM artifact_upload WHERE leased_until <= app_now() ORDER BY leased_until LIMIT 1 FOR UPDATE SKIP LOCKED`,
    );
    return rows[0] ?? null;
  }
}
