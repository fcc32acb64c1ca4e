import { Injectable } from '@nestjs/common';
import { isDeveloper, quotaSubjectOf } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { type QuotaUse } from '#kernel/quota';
import { RateLimitConfig, UploadConfig } from '#infra/config/config';
import { BillingService } from '#modules/billing';
import { type RunningUploads, UploadsRepository } from './uploads.repository';

/** The uploader to store with an upload, and its limits. Null: not limited. */
export interface UploadLimit {
  readonly uploader: string | null;
  /** The maximum number of uploads in one request that the uploader, and the organization, may run at the same time. */
  readonly limit: number | null;
  /** The maximum number of bytes that all open uploads of the organization may hold in the hosted store. */
  readonly maxOpenBytes: number | null;
}

/** The name of the quota. */
const OPEN_BYTES = 'open_upload_bytes';

/** `Retry-After` of a rejected upload. */
const RETRY_AFTER_SECONDS = 10;

/**
 * Limits the uploads that run at the same time. An upload in one request holds a connection and memory for as long as its client wants, and
 * every upload holds bytes of the store, so a limit of requests per minute does not bound them.
 */
@Injectable()
export class UploadLimitsService {
  constructor(
    private readonly repository: UploadsRepository,
    private readonly billing: BillingService,
    private readonly uploads: UploadConfig,
    private readonly rates: RateLimitConfig,
  ) {}

  /** The limits for one more upload. Until the transaction ends, no other upload is counted against them. */
  async begin(
    tx: RequestContext,
    organizationId: string,
    { isResumable }: { readonly isResumable: boolean },
  ): Promise<UploadLimit> {
    const maxOpenBytes = await this.maxOpenBytes(tx, organizationId);
    const uploader = isResumable ? null : uploaderOf(tx);
    const isLimited = uploader !== null && this.rates.rateLimitFactor !== 0;
    const limit = isLimited ? this.rates.scaled(this.uploads.atOnce) : null;
    const counted = { organizationId, uploader: isLimited ? uploader : null, openBytes: maxOpenBytes !== null };
    await this.repository.lockCounts(tx, counted, this.billing.reservationLockKey(tx, organizationId));
    return { uploader, limit, maxOpenBytes };
  }

  /** The announced bytes of the organization's open uploads in the hosted store, and their limit. Null when they are not limited. */
  async openBytesQuota(ctx: RequestContext, organizationId: string): Promise<QuotaUse | null> {
    const limit = await this.maxOpenBytes(ctx, organizationId);
    if (limit === null) return null;
    return { name: OPEN_BYTES, limit, used: await this.repository.openBytes(ctx, organizationId) };
  }

  private async maxOpenBytes(ctx: RequestContext, organizationId: string): Promise<number | null> {
    const onTrial = await this.billing.hasOnlyTrialCredit(ctx, organizationId);
    const bytes = onTrial ? this.uploads.maxOpenBytesOnTrial : this.uploads.maxOpenBytes;
    return bytes === 0 ? null : bytes;
  }
}

/** Null for callers that are not limited: jobs and operators. */
const uploaderOf = ({ identity }: RequestContext): string | null =>
  isDeveloper(identity) || identity.kind === 'project-token' ? quotaSubjectOf(identity) : null;

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

/**
 * @param openBytes the bytes that other open uploads may hold.
 * @throws AppError quota_exceeded when there is no room for `expectedBytes` more.
 */
export function requireOpenBytes(limit: number | null, openBytes: number, expectedBytes: number): void {
  if (limit === null || openBytes + expectedBytes <= limit) return;
  throw new AppError('quota_exceeded', {
    message: `The open uploads of this organization may hold ${limit} bytes together. ${openBytes} of them are in use, and this one needs ${expectedBytes}. Complete or discard open uploads: GET /builds/uploads lists those of a project. An upload expires a day after its last use.`,
    details: { quota: OPEN_BYTES, limit, used: openBytes },
  });
}
