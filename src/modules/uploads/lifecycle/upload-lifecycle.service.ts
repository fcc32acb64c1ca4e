import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { AppError } from '#kernel/errors/app-error';
import { newId } from '#kernel/ids';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { forEachCollectingErrors } from '#infra/jobs/for-each-collecting-errors';
import { Metrics } from '#infra/metrics/metrics';
import { BillingService, type Reservation, type ReservationRequest } from '#modules/billing';
import { ProjectsService } from '#modules/projects';
import { HOSTED, type StorageAccount, StorageService } from '#modules/storage';
import { type Upload, type UploadCleanup } from './upload';
import { requireBelow, requireOpenBytes, UploadLimitsService } from './upload-limits.service';
import {
  LEASE_SECONDS,
  type RenewedLease,
  RESUMABLE_LAST_DELETE_SECONDS,
  UploadsRepository,
} from './uploads.repository';

/**
 * The life of an upload beside its bytes: intent row, lease and reservation. `start` comes before the first byte; `finish` is
 * part of the transaction that makes the build; `rollBack`, `cancel` or the sweep end an upload that makes none
 * (docs/decisions/0005-upload-protocol.md).
 */
@Injectable()
export class UploadLifecycleService {
  constructor(
    private readonly repository: UploadsRepository,
    private readonly billing: BillingService,
    private readonly storage: StorageService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
    private readonly metrics: Metrics,
    private readonly limits: UploadLimitsService,
    private readonly projects: ProjectsService,
  ) {}

  /**
   * Reserves room and inserts the intent row, before the first byte.
   * @param leaseSeconds how long the upload may go without a renewal of its lease. A value other than the default means an upload in parts.
   * @throws AppError rate_limit_exceeded when the organization or the caller has too many uploads in one request at the same time;
   * quota_exceeded when the open uploads of the organization would hold too many bytes; storage_backend_unavailable when the hosted store
   * has too little room; the errors of a billing reservation.
   */
  async start(
    ctx: RequestContext,
    scope: ProjectScope,
    expectedBytes: number,
    leaseSeconds = LEASE_SECONDS,
  ): Promise<Upload> {
    const { organizationId } = scope;
    const id = newId();
    const reservationId = newId();
    const key = `builds/${id}`;
    const account = await this.transactions.run(ctx, async (tx) => {
      const isResumable = leaseSeconds !== LEASE_SECONDS;
      const { uploader, ...limits } = await this.limits.begin(tx, organizationId, { isResumable });
      const upload = { ...scope, id, blobKey: key, reservationId, uploader, expectedBytes: String(expectedBytes) };
      const { account: receiving, ...running } = await this.repository.insert(tx, upload, { ...limits, leaseSeconds });
      requireBelow(limits.limit, running);
      if (receiving === HOSTED) {
        requireOpenBytes(limits.maxOpenBytes, running.openBytes, expectedBytes);
        await this.storage.requireRoom(expectedBytes);
      }
      // Last, because it locks the account's row, which every upload of the organization contends for.
      await this.reserve(tx, { organizationId, account: receiving, sizeBytes: expectedBytes, id: reservationId });
      return receiving;
    });
    const store = await this.storage.storeOf(ctx, account);
    this.metrics.count('agate_uploads_started_total', {});
    return { ...scope, id, blob: { account, key }, reservationId, store };
  }

  /** Extends lease and reservation of an upload in one request. Never rejects. */
  async keepAlive(ctx: RequestContext, { id, reservationId }: Upload): Promise<void> {
    try {
      await this.repository.renewLease(ctx, id);
      await this.billing.extend(ctx, reservationId);
    } catch {
      // The lease survives several failed renewals. If the database stays unavailable, the commit fails.
    }
  }

  /**
   * Extends a resumable upload's lease by a day, and its reservation to the end of the lease. An expired reservation stays expired.
   * @throws AppError not_found when the upload has ended.
   */
  async renewLease(ctx: RequestContext, id: string): Promise<void> {
    await this.extend(ctx, id);
  }

  /**
   * Extends a resumable upload's lease and reservation. If the reservation has expired, makes a new one.
   * @throws AppError not_found when the upload has ended; the errors of a billing reservation.
   */
  ensureReservation(
    ctx: RequestContext,
    { id, organizationId, blob }: Pick<UploadCleanup, 'id' | 'organizationId' | 'blob'>,
    sizeBytes: number,
  ): Promise<void> {
    return this.transactions.run(ctx, async (tx) => {
      const { reservationId, leasedUntil, isActive } = await this.extend(tx, id);
      if (isActive) return;
      const reservation = await this.reserve(tx, { organizationId, account: blob.account, sizeBytes });
      // Runs after `reserve`: a release locks the account row, and `reserve` must not wait while this transaction holds it.
      await this.billing.release(tx, reservationId);
      await this.billing.extend(tx, reservation.id, leasedUntil);
      await this.repository.setReservation(tx, id, reservation.id);
    });
  }

  /**
   * Ends the upload in the transaction that makes its build: deletes the intent row and settles the reservation. Locks the
   * account row, so it comes after the statements that lock the build.
   * @throws AppError when the lease has expired.
   */
  async finish(tx: RequestContext, upload: Upload, actualBytes: number): Promise<void> {
    const reservationId = await this.repository.finish(tx, upload.id);
    if (reservationId === null) {
      throw new AppError('storage_backend_unavailable', {
        message: 'This upload stalled and was cancelled. Upload the file again.',
      });
    }
    await this.billing.settle(tx, reservationId, actualBytes);
    this.metrics.count('agate_uploads_finished_total', {});
    this.metrics.count('agate_uploaded_bytes_total', {}, actualBytes);
  }

  /** Deletes the bytes that those of a finished upload have replaced, whose build was in the trash. Ends the meter of its parts. */
  async endReplaced(tx: RequestContext, { id, organizationId }: Upload, replaced: Upload['blob']): Promise<void> {
    await this.storage.deleteLater(tx, replaced);
    await this.billing.endOpenUpload(tx, { organizationId, uploadId: id });
  }

  /** Schedules the deletion of parts that arrive at the store after completion, for stores that accept such parts. */
  async deleteLateParts(tx: RequestContext, { store, blob }: Upload): Promise<void> {
    if (!store.parts.acceptsLateParts) return;
    const runAt = new Date(tx.clock.now().getTime() + RESUMABLE_LAST_DELETE_SECONDS * 1000);
    await this.storage.dropPartsLater(tx, blob, runAt);
  }

  /**
   * Ends a failed upload: releases its reservation, deletes its bytes and its row. If the build was committed after all (the
   * connection failed during the commit), the row no longer exists and nothing happens.
   * @param isStoreUnavailable leaves the deletion of the bytes to a job, so that the caller does not wait for the store again.
   */
  async rollBack(ctx: RequestContext, upload: Upload, isStoreUnavailable: boolean): Promise<void> {
    const isPending = await this.transactions.run(ctx, async (tx) => {
      const reservationId = await this.repository.abandon(tx, upload.id);
      if (reservationId === null) return false;
      await this.billing.release(tx, reservationId);
      if (isStoreUnavailable) await this.deleteBytesLater(tx, { ...upload, parts: null });
      return true;
    });
    if (!isPending || isStoreUnavailable) return;
    await upload.store.delete(upload.blob.key);
    await this.repository.deleteRow(ctx, upload.id);
  }

  /**
   * Cancels an upload in the transaction of `tx`: releases its reservation; a job deletes its bytes after the commit, and the
   * sweep deletes them once more. Nothing happens when the upload is a build or is already cancelled.
   */
  async cancel(
    tx: RequestContext,
    upload: UploadCleanup,
    reason: 'dropped' | 'expired' | 'refused' | 'lost',
  ): Promise<void> {
    const reservationId = await this.repository.abandon(tx, upload.id);
    if (reservationId === null) return;
    this.metrics.count('agate_uploads_failed_total', { reason });
    await this.billing.release(tx, reservationId);
    await this.deleteBytesLater(tx, upload);
    if (!upload.parts) return;
    const { organizationId, projectId, id } = upload;
    await this.billing.endOpenUpload(tx, { organizationId, uploadId: id });
    const payload = { upload_id: id, reason };
    await this.audit.record(tx, { type: 'build.upload_dropped', organizationId, projectId, payload });
  }

  /** Cancels an upload in a transaction of its own. */
  end(ctx: RequestContext, upload: UploadCleanup, reason: 'refused' | 'lost'): Promise<void> {
    return this.transactions.run(ctx, (tx) => this.cancel(tx, upload, reason));
  }

  /**
   * Cancels uploads whose lease has expired, because their process was killed or their client stopped, and uploads to deleted projects.
   * Deletes the bytes a second time later, because bytes that were in transit to the store may arrive after the first deletion.
   */
  async sweep(ctx: RequestContext): Promise<void> {
    await this.expireOfDeletedProjects(ctx);
    await forEachCollectingErrors(await this.repository.findExpired(ctx), (id) =>
      this.transactions.run(ctx, async (tx) => {
        const upload = await this.repository.lockExpired(tx, id);
        if (upload?.state === 'pending') return this.cancel(tx, upload, 'expired');
        if (!upload) return;
        await this.repository.deleteRow(tx, id);
        await this.deleteBytesLater(tx, upload);
      }),
    );
  }

  /**
   * Ends the leases of uploads without their project: they can never be completed, and nobody pays for their bytes. No foreign key does it,
   * because it would delete the row before the bytes.
   */
  async expireOfDeletedProjects(ctx: RequestContext): Promise<void> {
    const ids = await this.repository.listProjects(ctx);
    if (ids.length === 0) return;
    const existing = await this.projects.findExisting(ctx, ids);
    const deleted = ids.filter((id) => !existing.has(id));
    if (deleted.length > 0) await this.repository.expireOfProjects(ctx, deleted);
  }

  private reserve(
    tx: RequestContext,
    {
      account,
      ...request
    }: Pick<ReservationRequest, 'id' | 'organizationId' | 'sizeBytes'> & { account: StorageAccount },
  ): Promise<Reservation> {
    return this.billing.reserve(tx, { ...request, kind: 'upload', isInOwnStorage: account !== HOSTED });
  }

  /** Parts may be stored from now on, so the reservation lasts as long as they do. */
  private async extend(ctx: RequestContext, id: string): Promise<RenewedLease & { readonly isActive: boolean }> {
    const renewed = await this.repository.renewResumableLease(ctx, id);
    if (!renewed) throw AppError.notFound('upload');
    return { ...renewed, isActive: await this.billing.extend(ctx, renewed.reservationId, renewed.leasedUntil) };
  }

  /** Deletes parts too: a driver may itself write a blob in parts. */
  private deleteBytesLater(tx: RequestContext, { blob, parts }: UploadCleanup): Promise<void> {
    return this.storage.abortLater(tx, blob, parts?.uploadId ?? null);
  }
}
