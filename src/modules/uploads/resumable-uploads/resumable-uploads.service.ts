import { Injectable } from '@nestjs/common';
import { ownerOf } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { AppError, fileTooLarge } from '#kernel/errors/app-error';
import { type QuotaUse, requireRoom } from '#kernel/quota';
import { shownFileName } from '#kernel/text/file-name';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { QuotaConfig, UploadConfig } from '#infra/config/config';
import { Transactions } from '#infra/database/transactions';
import { AttachmentsService, requireMetadata } from '#modules/builds';
import { type UploadDraft } from '../lifecycle/upload';
import { UploadLifecycleService } from '../lifecycle/upload-lifecycle.service';
import { RESUMABLE_LEASE_SECONDS } from '../lifecycle/uploads.repository';
import { PromotionTargetsService } from '../promotion-targets.service';
import { cleanupOf, isOpen, partSizeFor, type ResumableUpload } from './resumable-upload';
import { ResumableUploadsRepository } from './resumable-uploads.repository';

/**
 * Uploads in parts, which a client can interrupt and resume (docs/decisions/0015-resumable-uploads.md). They follow the
 * protocol of every upload, with a longer lease.
 */
@Injectable()
export class ResumableUploadsService {
  constructor(
    private readonly repository: ResumableUploadsRepository,
    private readonly targets: PromotionTargetsService,
    private readonly attachments: AttachmentsService,
    private readonly lifecycle: UploadLifecycleService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
    private readonly quotas: QuotaConfig,
    private readonly limits: UploadConfig,
  ) {}

  /**
   * Reserves room and inserts the upload. Does not call the store.
   * @throws AppError payload_too_large, quota_exceeded, the errors of a reservation, of `PromotionTargetsService.require` and, for an attachment, of
   * `AttachmentsService.requireRoom`.
   */
  async start(
    ctx: RequestContext,
    scope: ProjectScope,
    announced: { readonly fileName: string; readonly sizeBytes: number },
    draft: UploadDraft,
  ): Promise<ResumableUpload> {
    const { sizeBytes } = announced;
    const creator = ownerOf(ctx.identity);
    if (sizeBytes > this.limits.maxBytes) throw fileTooLarge(this.limits.maxBytes);
    const fileName = shownFileName(announced.fileName);
    if (draft.attachment) await this.attachments.requireRoom(ctx, scope, draft.attachment.buildId);
    else requireMetadata(fileName, draft);
    if (draft.channelId !== undefined) await this.targets.require(ctx, scope, draft.channelId);
    return this.transactions.run(ctx, async (tx) => {
      await this.requireOpenUploadQuota(tx, scope);
      const { id } = await this.lifecycle.start(tx, scope, sizeBytes, RESUMABLE_LEASE_SECONDS);
      await this.repository.insert(tx, {
        ...scopeOf(scope),
        id,
        fileName,
        sizeBytes: String(sizeBytes),
        partSizeBytes: String(partSizeFor(sizeBytes)),
        storeUploadId: null,
        draft,
        createdByKind: creator.kind,
        createdById: creator.id,
        buildId: null,
        releaseId: null,
        attachmentId: null,
        createdAt: tx.clock.now(),
        completedAt: null,
      });
      const payload = { upload_id: id, size_bytes: sizeBytes };
      await this.audit.record(tx, { type: 'build.upload_started', ...scopeOf(scope), payload });
      return this.get(tx, scope, id);
    });
  }

  /** @throws AppError not_found */
  async get(ctx: RequestContext, scope: ProjectScope, id: string): Promise<ResumableUpload> {
    const upload = await this.repository.find(ctx, scope, id);
    if (!upload) throw noSuchUpload();
    return upload;
  }

  /** Cancels the upload. @throws AppError not_found; operation_not_allowed when it has become a build. */
  async drop(ctx: RequestContext, scope: ProjectScope, id: string): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      const upload = await this.repository.lock(tx, scope, id);
      if (!upload) throw noSuchUpload();
      if (!isOpen(upload)) {
        throw new AppError('operation_not_allowed', { message: 'This upload has become a build. Delete the build.' });
      }
      await this.lifecycle.cancel(tx, cleanupOf(upload), 'dropped');
    });
  }

  /** The project's number of open uploads and its limit. */
  async quota(ctx: RequestContext, scope: ProjectScope): Promise<QuotaUse> {
    const limit = this.quotas.openUploadsPerProject;
    return { name: 'open_uploads', limit, used: await this.repository.countOpen(ctx, scope) };
  }

  private async requireOpenUploadQuota(tx: RequestContext, scope: ProjectScope): Promise<void> {
    await this.transactions.advisoryLock(tx, `uploads|${scope.projectId}`);
    const quota = await this.quota(tx, scope);
    const advice = `This project has ${quota.limit} open uploads. Complete or drop one, or wait until one expires.`;
    requireRoom(quota, quota.used, advice);
  }
}

const noSuchUpload = (): AppError => AppError.notFound('upload');
