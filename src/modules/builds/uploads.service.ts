import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { newId } from '#kernel/ids/ids';
import { type ProjectScope } from '#kernel/scope/scope';
import { BillingService } from '#modules/billing';
import { type BlobPlace, StorageService } from '#modules/storage';
import { AuditRecorder } from '#platform/audit/audit-recorder';
import { type BlobStore } from '#platform/blob/blob-store';
import { StoreFailure } from '#platform/blob/store-failure';
import { Transactions } from '#platform/database/transactions';
import { Jobs } from '#platform/jobs/jobs';
import { oneByOne } from '#platform/jobs/one-by-one';
import { Logger } from '#platform/logging/logger';
import { Metrics } from '#platform/metrics/metrics';
import { ArtifactInspector, type InspectedArtifact } from './inspection';
import { LEASE_SECONDS, type LeftUpload, UploadsRepository } from './uploads.repository';

const RENEW_MS = 10_000;

/** An upload on its way: where its bytes go, and what was reserved for it. */
export interface Upload extends ProjectScope {
  readonly id: string;
  readonly blob: BlobPlace;
  readonly reservationId: string;
  readonly store: BlobStore;
}

/** A file whose bytes are stored, hashed and counted. */
export interface StoredFile {
  readonly fileName: string;
  readonly sizeBytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/** What an upload brought, ready to become a build. */
export interface StoredArtifact extends StoredFile {
  readonly upload: Upload;
  readonly inspected: InspectedArtifact;
}

/**
 * The protocol of an upload (reliability: X16): an intent row and a reservation before any byte, no transaction while bytes
 * flow, one transaction that turns the upload into a build. Killed at any point, it leaves nothing that the sweeper does not
 * find by the row.
 */
@Injectable()
export class UploadsService implements OnModuleInit {
  @Inject(Metrics)
  private readonly metrics: Metrics;
  private readonly inspector = new ArtifactInspector();

  constructor(
    private readonly repository: UploadsRepository,
    private readonly billing: BillingService,
    private readonly storage: StorageService,
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
    private readonly audit: AuditRecorder,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('builds.sweep-uploads', '* * * * *', (ctx) => this.sweep(ctx));
  }

  /**
   * Admits an upload and gives `work` the time to store it and make its build. Whatever fails leaves nothing behind.
   * @param expectedBytes what it will take at most.
   */
  async during<T>(
    ctx: RequestContext,
    scope: ProjectScope,
    expectedBytes: number,
    work: (upload: Upload) => Promise<T>,
  ): Promise<T> {
    const upload = await this.admit(ctx, scope, expectedBytes);
    const renewal = setInterval(() => void this.renew(ctx, upload), RENEW_MS);
    this.metrics.change('agate_uploads_in_flight', {}, 1);
    try {
      return await work(upload);
    } catch (error) {
      this.metrics.count('agate_uploads_failed_total', { reason: reasonOf(error) });
      await this.abandon(ctx, upload, isStoreAway(error)).catch((failure: unknown) => {
        this.logger.warn({ err: failure, uploadId: upload.id }, 'An upload could not be cleaned up; the sweeper will');
      });
      throw error;
    } finally {
      clearInterval(renewal);
      this.metrics.change('agate_uploads_in_flight', {}, -1);
    }
  }

  /** Stores and reads an artifact that is whole in memory: a small one, which this service has made or was handed. */
  async store(upload: Upload, fileName: string, bytes: Buffer): Promise<StoredArtifact> {
    await upload.store.write(upload.blob.key, Readable.from([bytes]));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const file = { fileName, sizeBytes: bytes.length, sha256 };
    return { ...file, upload, inspected: await this.inspect(upload, file) };
  }

  /** Reads what the artifact says about itself. @throws AppError invalid_input with details.reason. */
  inspect(upload: Upload, file: StoredFile): Promise<InspectedArtifact> {
    const { store, blob } = upload;
    const read = (offset: number, length: number): Promise<Buffer> => store.readBlock(blob.key, offset, length);
    return this.inspector.inspect({ sizeBytes: file.sizeBytes, read }, file.fileName);
  }

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
  hold(ctx: RequestContext, { id, organizationId }: LeftUpload, sizeBytes: number): Promise<void> {
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
  async giveUp(ctx: RequestContext, upload: LeftUpload, reason: 'dropped' | 'expired' | 'refused'): Promise<void> {
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

  /**
   * Gives an upload up and leaves nothing behind. If the build was committed after all (the answer of the commit was lost),
   * the row is gone and so nothing is touched. A store that is away is not waited for a second time: a job deletes.
   */
  private async abandon(ctx: RequestContext, upload: Upload, isStoreAway: boolean): Promise<void> {
    const mine = await this.transactions.run(ctx, async (tx) => {
      const reservationId = await this.repository.abandon(tx, upload.id);
      if (reservationId === null) return false;
      await this.billing.release(tx, reservationId);
      if (isStoreAway) await this.storage.deleteLater(tx, upload.blob);
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
    await oneByOne(await this.repository.findLapsed(ctx), (id) =>
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
  private deleteLater(ctx: RequestContext, { blob, parts }: LeftUpload): Promise<void> {
    return this.storage.abortLater(ctx, blob, parts?.uploadId ?? null);
  }

  private async renew(ctx: RequestContext, { id, reservationId }: Upload): Promise<void> {
    try {
      await this.repository.renew(ctx, id);
      await this.billing.extend(ctx, reservationId);
    } catch {
      // The lease outlasts several of these; when the database stays away the upload fails at its commit.
    }
  }
}

/** A store behind a network, which may have nothing more to say for a while. */
const isStoreAway = (error: unknown): boolean => error instanceof AppError && error.cause instanceof StoreFailure;

const reasonOf = (error: unknown): string => (error instanceof AppError ? error.entry.code : 'internal_error');
