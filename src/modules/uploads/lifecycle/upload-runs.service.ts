import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { StoreError } from '#infra/blob/store-errors';
import { Logger } from '#infra/logging/logger';
import { Metrics } from '#infra/metrics/metrics';
import { type Upload } from './upload';
import { UploadLifecycleService } from './upload-lifecycle.service';

const RENEW_MS = 10_000;

/** Runs uploads in one request. An upload that fails leaves nothing behind. */
@Injectable()
export class UploadRunsService {
  constructor(
    private readonly lifecycle: UploadLifecycleService,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {}

  /** Runs the rest of a started upload: renews its lease every ten seconds and rolls it back on an error. */
  async run<T>(ctx: RequestContext, upload: Upload, rest: () => Promise<T>): Promise<T> {
    const renewal = setInterval(() => void this.lifecycle.keepAlive(ctx, upload), RENEW_MS);
    this.metrics.change('agate_uploads_in_flight', {}, 1);
    try {
      return await rest();
    } catch (error) {
      this.metrics.count('agate_uploads_failed_total', { reason: reasonOf(error) });
      await this.lifecycle.rollBack(ctx, upload, isStoreUnavailable(error)).catch((failure: unknown) => {
        this.logger.warn({ err: failure, uploadId: upload.id }, 'An upload was not cleaned up; the sweep will do it');
      });
      throw error;
    } finally {
      clearInterval(renewal);
      this.metrics.change('agate_uploads_in_flight', {}, -1);
    }
  }
}

/** The store is unavailable. A second request to it would wait as long as the first. */
const isStoreUnavailable = (error: unknown): boolean => error instanceof AppError && error.cause instanceof StoreError;

const reasonOf = (error: unknown): string => (error instanceof AppError ? error.entry.code : 'internal_error');
