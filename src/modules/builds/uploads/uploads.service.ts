import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { newId } from '#kernel/ids';
import { type ProjectScope } from '#kernel/context/scope';
import { BillingService } from '#modules/billing';
import { type BlobPlace, StorageService } from '#modules/storage';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { forEachCollectingErrors } from '#infra/jobs/for-each-collecting-errors';
import { Metrics } from '#infra/metrics/metrics';
import { type Upload } from './upload';
import { LEASE_SECONDS, PARTS_LAST_DELETE_SECONDS, type UploadCleanup, UploadsRepository } from './uploads.repository';

/**
 * The life of an upload, by the protocol (reliability: X16): an intent row and a reservation before any byte, no transaction while bytes
 * flow, one transaction that turns the upload into a build. Killed at any point, it leaves nothing that the sweeper does not
 * find by the row.
 */
@Injectable()
export class UploadsService {
  constructor(
    private readonly repository: UploadsRepository,
    private readonly billing: BillingService,
    private readonly storage: StorageService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
    private readonly metrics: Metrics,
  ) {}

  /** Ends the upload in the transaction that makes its build. @throws AppError when it took too long and was swept. */
  async finish(ctx: RequestContext, upload: Upload, actualBytes: number): Promise<void> {
    const reservationId = await this.repository.finish(ctx, upload.id);
    if (reservationId === null) {
      throw new AppError('storage_backend_unavailable', {
        message: 'This upload was given up because it stalled. Send it again.',
      });
    }
    await this.billing.settle(ctx, reservationId, actualBytes);
    this.metrics.count('agate_uploads_finished_total', {});
    this.metrics.count('agate_uploaded_bytes_total', {}, actualBytes);
  }

  /** Drops, when no address of its parts is good any more, what came to them after they had become the artifact. */
  async dropLateParts(tx: RequestContext, { store, blob }: Upload): Promise<void> {
    if (!store.parts.acceptsLateParts) return;
    const runAt = new Date(tx.clock.now().getTime() + PARTS_LAST_DELETE_SECONDS * 1000);
    await this.storage.dropPartsLater(tx, blob, runAt);
  }

  /** Deletes the bytes of a build after the commit of the transaction that deletes the build, until they are gone. */
  discard(tx: RequestContext, blob: BlobPlace): Promise<void> {
    return this.storage.deleteLater(tx, blob);
  }

  /**
   * Reserves, and notes where the bytes will go, before there are any.
   * @param leaseSeconds how long it may go without a sign of life.
   */
  async admit(
    ctx: RequestContext,
    scope: ProjectScope,
    expectedBytes: number,
    leaseSeconds = LEASE_SECONDS,
  ): Promise<Upload> {
    const { organizationId } = scope;
    const id = newId();
    const key = `builds/${id}`;
    const { account, reservationId } = await this.transactions.run(ctx, async (tx) => {
      const account = await this.storage.accountFor(tx, organizationId);
      const reservation = await this.billing.reserve(tx, { organizationId, kind: 'upload', sizeBytes: expectedBytes });
      const upload = { ...scope, id, storageAccount: account, blobKey: key, reservationId: reservation.id };
      await this.repository.insert(tx, upload, leaseSeconds);
      return { account, reservationId: reservation.id };
    });
    const store = await this.storage.storeOf(ctx, account);
    this.metrics.count('agate_uploads_started_total', {});
    return { ...scope, id, blob: { account, key }, reservationId, store };
  }

  /** Keeps an upload in parts for another day, and its room for another half hour. @throws AppError not_found. */
  async keep(ctx: RequestContext, id: string): Promise<void> {
    await this.extend(ctx, id);
  }

  /** The same; room that was returned meanwhile is reserved again. @throws AppError what an admission may answer, too. */
  hold(ctx: RequestContext, { id, organizationId }: UploadCleanup, sizeBytes: number): Promise<void> {
    return this.transactions.run(ctx, async (tx) => {
      const { reservationId, isHeld } = await this.extend(tx, id);
      if (isHeld) return;
      const reservation = await this.billing.reserve(tx, { organizationId, kind: 'upload', sizeBytes });
      // After it: whoever releases holds the account, and no admission may wait for its turn with that.
      await this.billing.release(tx, reservationId);
      await this.repository.rebind(tx, id, reservation.id);
    });
  }

  /**
   * Gives an upload in parts up, in the transaction of `ctx`: what it holds is released at once, its bytes are deleted after the
   * commit, and again later. Nothing happens when it has become a build or was given up before.
   */
  async giveUp(ctx: RequestContext, upload: UploadCleanup, reason: 'dropped' | 'expired' | 'refused'): Promise<void> {
    const reservationId = await this.repository.abandon(ctx, upload.id);
    if (reservationId === null) return;
    this.metrics.count('agate_uploads_failed_total', { reason });
    await this.billing.release(ctx, reservationId);
    await this.deleteLater(ctx, upload);
    if (!upload.parts) return;
    const { organizationId, projectId, id } = upload;
    const payload = { upload_id: id, reason };
    await this.audit.record(ctx, { type: 'build.upload_dropped', organizationId, projectId, payload });
  }

  /** A sign of life; never rejects. */
  async renew(ctx: RequestContext, { id, reservationId }: Upload): Promise<void> {
    try {
      await this.repository.renew(ctx, id);
      await this.billing.extend(ctx, reservationId);
    } catch {
      // The lease outlasts several of these; when the database stays away the upload fails at its commit.
    }
  }

  /**
   * Gives an upload up and leaves nothing behind. If the build was committed after all (the answer of the commit was lost),
   * the row is gone and so nothing is touched. A store that is away is not waited for a second time: a job deletes.
   */
  async abandon(ctx: RequestContext, upload: Upload, isStoreAway: boolean): Promise<void> {
    const mine = await this.transactions.run(ctx, async (tx) => {
      const reservationId = await this.repository.abandon(tx, upload.id);
      if (reservationId === null) return false;
      await this.billing.release(tx, reservationId);
      if (isStoreAway) await this.deleteLater(tx, { ...upload, parts: null });
      return true;
    });
    if (!mine || isStoreAway) return;
    await upload.store.delete(upload.blob.key);
    await this.repository.forget(ctx, upload.id);
  }

  /**
   * Takes care of uploads whose process died: releases what they hold and deletes their bytes, and deletes them again later,
   * because bytes that were on their way to a store may arrive after the first deletion.
   */
  async sweep(ctx: RequestContext): Promise<void> {
    await forEachCollectingErrors(await this.repository.findLapsed(ctx), (id) =>
      this.transactions.run(ctx, async (tx) => {
        const upload = await this.repository.lockLapsed(tx, id);
        if (upload?.state === 'pending') return this.giveUp(tx, upload, 'expired');
        if (!upload) return;
        await this.repository.forget(tx, id);
        await this.deleteLater(tx, upload);
      }),
    );
  }

  private async extend(ctx: RequestContext, id: string): Promise<{ reservationId: string; isHeld: boolean }> {
    const reservationId = await this.repository.keep(ctx, id);
    if (reservationId === null) throw AppError.notFound('upload');
    return { reservationId, isHeld: await this.billing.extend(ctx, reservationId) };
  }

  /** With whatever was begun in the store: a driver may itself send in parts what came in one piece. */
  private deleteLater(ctx: RequestContext, { blob, parts }: UploadCleanup): Promise<void> {
    return this.storage.abortLater(ctx, blob, parts?.uploadId ?? null);
  }
}
