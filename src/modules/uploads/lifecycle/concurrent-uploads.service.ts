import { Injectable } from '@nestjs/common';
import { isDeveloper, quotaSubjectOf } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { BillingService } from '#modules/billing';
import { RateLimitConfig, UploadConfig } from '#infra/config/config';
import { type RunningUploads, UploadsRepository } from './uploads.repository';

/**
 * The uploader to store with an upload, and the maximum number of uploads in one request that it, and the organization, may run at the same
 * time. Null `limit`: not limited.
 */
export interface UploadLimit {
  readonly uploader: string | null;
  readonly limit: number | null;
}

/** For callers without a limit, and for uploads in parts. */
export const UNLIMITED: UploadLimit = { uploader: null, limit: null };

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
    private readonly billing: BillingService,
    private readonly uploads: UploadConfig,
    private readonly rates: RateLimitConfig,
  ) {}

  /**
   * The limit for one more upload of the caller. Until the transaction ends, no other upload is counted against it.
   * @returns the uploader to store with the upload, null for a caller that is not limited: jobs and operators; and the limit, null when
   * there is none.
   */
  async begin(tx: RequestContext, organizationId: string): Promise<UploadLimit> {
    const { identity } = tx;
    if (!isDeveloper(identity) && identity.kind !== 'project-token') return UNLIMITED;
    const uploader = quotaSubjectOf(identity);
    const { rateLimitFactor } = this.rates;
    if (rateLimitFactor === 0) return { uploader, limit: null };
    const reservation = this.billing.reservationLockKey(tx, organizationId);
    await this.repository.lockRunning(tx, organizationId, uploader, reservation);
    return { uploader, limit: Math.max(1, Math.round(this.uploads.atOnce * rateLimitFactor)) };
  }
}

/** @throws AppError rate_limit_exceeded when the organization or the uploader has as many uploads as the limit. */
export function requireBelow(limit: number | null, running: RunningUploads): void {
  if (limit === null) return;
  if (running.organization >= limit) throw tooMany('This organization', limit);
  if (running.uploader >= limit) throw tooMany('This developer or token', limit);
}

const tooMany = (subject: string, limit: number): AppError =>
  new AppError('rate_limit_exceeded', {
    message: `${subject} already has ${limit} uploads at the same time. Wait until one has ended, or upload in parts.`,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    details: { retry_after_seconds: RETRY_AFTER_SECONDS },
  });
