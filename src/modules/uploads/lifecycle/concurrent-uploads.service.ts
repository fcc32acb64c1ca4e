import { Injectable } from '@nestjs/common';
import { isDeveloper, quotaSubjectOf } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { RateLimitConfig, UploadConfig } from '#infra/config/config';
import { UploadsRepository } from './uploads.repository';

/** `Retry-After` of a rejected upload. */
const RETRY_AFTER_SECONDS = 10;

/**
 * Limits the uploads in one request that run at the same time. Each holds a connection and memory for as long as its client wants, so
 * a limit of requests per minute does not bound them.
 */
@Injectable()
export class ConcurrentUploadsService {
  constructor(
    private readonly repository: UploadsRepository,
    private readonly uploads: UploadConfig,
    private readonly rates: RateLimitConfig,
  ) {}

  /**
   * Admits one more upload of the caller, in the transaction that inserts its row.
   * @returns the uploader to store with the upload; null for a caller that is not limited: jobs and operators.
   * @throws AppError rate_limit_exceeded when the organization or the caller has too many.
   */
  async admit(tx: RequestContext, organizationId: string): Promise<string | null> {
    const { identity } = tx;
    if (!isDeveloper(identity) && identity.kind !== 'project-token') return null;
    const uploader = quotaSubjectOf(identity);
    const { rateLimitFactor } = this.rates;
    if (rateLimitFactor === 0) return uploader;
    const limit = Math.max(1, Math.round(this.uploads.atOnce * rateLimitFactor));
    const running = await this.repository.countRunning(tx, organizationId, uploader);
    if (running.organization >= limit) throw tooMany('This organization', limit);
    if (running.uploader >= limit) throw tooMany('This developer or token', limit);
    return uploader;
  }
}

const tooMany = (subject: string, limit: number): AppError =>
  new AppError('rate_limit_exceeded', {
    message: `${subject} already has ${limit} uploads at the same time. Wait until one has ended, or upload in parts.`,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    details: { retry_after_seconds: RETRY_AFTER_SECONDS },
  });
