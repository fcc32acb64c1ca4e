import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { newId } from '#kernel/ids/ids';
import { type ProjectScope } from '#kernel/scope/scope';
import { BillingService } from '#modules/billing';
import { type BlobPlace, StorageService } from '#modules/storage';
import { type BlobStore } from '#platform/blob/blob-store';
import { Transactions } from '#platform/database/transactions';
import { Jobs } from '#platform/jobs/jobs';
import { Logger } from '#platform/logging/logger';
import { ArtifactInspector, type InspectedArtifact } from './inspection';
import { UploadsRepository } from './uploads.repository';

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
  private readonly inspector = new ArtifactInspector();

  constructor(
    private readonly repository: UploadsRepository,
    private readonly billing: BillingService,
    private readonly storage: StorageService,
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
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
    const upload = await this.begin(ctx, scope, expectedBytes);
    const renewal = setInterval(() => void this.renew(ctx, upload), RENEW_MS);
    try {
      return await work(upload);
    } catch (error) {
      await this.abandon(ctx, upload).catch((failure: unknown) => {
        this.logger.warn({ err: failure, uploadId: upload.id }, 'An upload could not be cleaned up; the sweeper will');
      });
      throw error;
    } finally {
      clearInterval(renewal);
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
    if (!(await this.repository.finish(ctx, upload.id))) {
      throw new AppError('storage_backend_unavailable', {
        message: 'This upload was given up because it stalled. Send it again.',
      });
    }
    await this.billing.settle(ctx, upload.reservationId, actualBytes);
  }

  private async begin(ctx: RequestContext, scope: ProjectScope, expectedBytes: number): Promise<Upload> {
    const { organizationId } = scope;
    const account = await this.storage.accountFor(ctx, organizationId);
    const id = newId();
    const key = `builds/${id}`;
    const reservationId = await this.transactions.run(ctx, async (tx) => {
      const reservation = await this.billing.reserve(tx, { organizationId, kind: 'upload', sizeBytes: expectedBytes });
      const upload = { ...scope, id, storageAccount: account, blobKey: key, reservationId: reservation.id };
      await this.repository.insert(tx, upload);
      return reservation.id;
    });
    return { ...scope, id, blob: { account, key }, reservationId, store: this.storage.storeOf(account) };
  }

  /**
   * Gives an upload up and leaves nothing behind. If the build was committed after all (the answer of the commit was lost),
   * the row is gone and so nothing is touched.
   */
  private async abandon(ctx: RequestContext, upload: Upload): Promise<void> {
    const mine = await this.transactions.run(ctx, async (tx) => {
      const abandoned = await this.repository.abandon(tx, upload.id);
      if (abandoned) await this.billing.release(tx, upload.reservationId);
      return abandoned;
    });
    if (!mine) return;
    await upload.store.delete(upload.blob.key);
    await this.repository.forget(ctx, upload.id);
  }

  /**
   * Takes care of uploads whose process died: releases what they hold and deletes their bytes, and deletes them again later,
   * because bytes that were on their way to a store may arrive after the first deletion.
   */
  async sweep(ctx: RequestContext): Promise<void> {
    for (let more = true; more;) {
      more = await this.transactions.run(ctx, async (tx) => {
        const upload = await this.repository.lockLapsed(tx);
        if (!upload) return false;
        if (upload.state === 'pending') {
          await this.repository.abandon(tx, upload.id);
          await this.billing.release(tx, upload.reservationId);
        } else {
          await this.repository.forget(tx, upload.id);
        }
        await this.storage.deleteLater(tx, { account: upload.storageAccount, key: upload.blobKey });
        return true;
      });
    }
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
