import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { type ProjectScope } from '#kernel/context/scope';
import { HOSTED } from '#modules/storage';
import { StoreError } from '#infra/blob/store-errors';
import { Logger } from '#infra/logging/logger';
import { Metrics } from '#infra/metrics/metrics';
import { type UploadedBuild } from '../catalogue/build';
import { type BuildDraft } from '../catalogue/build-draft';
import { BuildsService } from '../catalogue/builds.service';
import { ArtifactInspector } from '#infra/artifact-inspection/artifact-inspector';
import { type ArtifactSource } from '#infra/artifact-inspection/artifact-source';
import { type InspectedArtifact } from '#infra/artifact-inspection/inspected-artifact';
import { type StoredArtifact, type StoredFile, type Upload } from './upload';
import { UploadsService } from './uploads.service';

const RENEW_MS = 10_000;

/** From bytes to a build: what is done with an artifact while its upload lives. */
@Injectable()
export class ArtifactIntake {
  constructor(
    private readonly uploads: UploadsService,
    private readonly builds: BuildsService,
    private readonly inspector: ArtifactInspector,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {}

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
    const upload = await this.uploads.admit(ctx, scope, expectedBytes);
    const renewal = setInterval(() => void this.uploads.renew(ctx, upload), RENEW_MS);
    this.metrics.change('agate_uploads_in_flight', {}, 1);
    try {
      return await work(upload);
    } catch (error) {
      this.metrics.count('agate_uploads_failed_total', { reason: reasonOf(error) });
      await this.uploads.abandon(ctx, upload, isStoreAway(error)).catch((failure: unknown) => {
        this.logger.warn({ err: failure, uploadId: upload.id }, 'An upload could not be cleaned up; the sweeper will');
      });
      throw error;
    } finally {
      clearInterval(renewal);
      this.metrics.change('agate_uploads_in_flight', {}, -1);
    }
  }

  /** Reads what the artifact says about itself. @throws AppError invalid_input with details.reason. */
  inspect(upload: Upload, file: StoredFile): Promise<InspectedArtifact> {
    const { store, blob } = upload;
    const read: ArtifactSource['read'] = (...range) => store.readBlock(blob.key, ...range);
    // A customer's store answers as slowly as it likes.
    const lane = blob.account === HOSTED ? undefined : blob.account;
    return this.inspector.inspect({ sizeBytes: file.sizeBytes, read }, file.fileName, lane);
  }

  /** Makes a build of a small artifact at hand: an upload like any other, admitted, stored, read and committed. */
  createBuild(
    ctx: RequestContext,
    scope: ProjectScope,
    file: { readonly fileName: string; readonly bytes: Buffer },
    draft: BuildDraft,
  ): Promise<UploadedBuild> {
    return this.during(ctx, scope, file.bytes.length, async (upload) =>
      this.builds.create(ctx, scope, await this.store(upload, file.fileName, file.bytes), draft),
    );
  }

  private async store(upload: Upload, fileName: string, bytes: Buffer): Promise<StoredArtifact> {
    await upload.store.write(upload.blob.key, Readable.from([bytes]));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const file = { fileName, sizeBytes: bytes.length, sha256 };
    return { ...file, upload, inspected: await this.inspect(upload, file) };
  }
}

/** A store behind a network, which may have nothing more to say for a while. */
const isStoreAway = (error: unknown): boolean => error instanceof AppError && error.cause instanceof StoreError;

const reasonOf = (error: unknown): string => (error instanceof AppError ? error.entry.code : 'internal_error');
