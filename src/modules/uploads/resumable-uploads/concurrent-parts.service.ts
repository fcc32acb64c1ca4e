import { Injectable } from '@nestjs/common';
import { AppError } from '#kernel/errors/app-error';
import { RateLimitConfig, UploadConfig } from '#infra/config/config';
import { type ResumableUpload } from './resumable-upload';

/** `Retry-After` of a rejected part. */
const RETRY_AFTER_SECONDS = 2;

/**
 * Limits the parts that this process holds in memory at the same time for one organization and for one creator of uploads, so that none of
 * them fills the memory of all. The counts are per process, as the memory is.
 */
@Injectable()
export class ConcurrentPartsService {
  private readonly running = new Map<string, number>();

  constructor(
    private readonly uploads: UploadConfig,
    private readonly rates: RateLimitConfig,
  ) {}

  /** @throws AppError rate_limit_exceeded when the organization or the creator of the upload has too many parts in progress. */
  async run<T>({ organizationId, createdBy }: ResumableUpload, work: () => Promise<T>): Promise<T> {
    const limit = this.rates.rateLimitFactor === 0 ? Infinity : this.rates.scaled(this.uploads.atOnce);
    const subjects = [`organization:${organizationId}`, ...(createdBy ? [`${createdBy.kind}:${createdBy.id}`] : [])];
    if (subjects.some((subject) => (this.running.get(subject) ?? 0) >= limit)) throw tooMany(limit);
    for (const subject of subjects) this.add(subject, 1);
    try {
      return await work();
    } finally {
      for (const subject of subjects) this.add(subject, -1);
    }
  }

  private add(subject: string, change: number): void {
    const count = (this.running.get(subject) ?? 0) + change;
    if (count === 0) this.running.delete(subject);
    else this.running.set(subject, count);
  }
}

const tooMany = (limit: number): AppError =>
  new AppError('rate_limit_exceeded', {
    message: `${limit} parts are already being sent. Send this part again when one of them has arrived.`,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    details: { retry_after_seconds: RETRY_AFTER_SECONDS },
  });
