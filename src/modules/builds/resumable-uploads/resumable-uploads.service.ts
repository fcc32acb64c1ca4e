import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { shownFileName } from '#kernel/text/file-name';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { QuotaConfig, StorageConfig } from '#infra/config/config';
import { Transactions } from '#infra/database/transactions';
import { artifactTooLarge } from '#infra/upload/upload-body';
import { assertTellsEnough, type BuildDraft } from '../catalogue/build-draft';
import { BuildsService } from '../catalogue/builds.service';
import { isOpen, cleanupOf, partSizeFor, type ResumableUpload } from './resumable-upload';
import { ResumableUploadsRepository } from './resumable-uploads.repository';
import { PARTS_LEASE_SECONDS } from '../uploads/uploads.repository';
import { UploadsService } from '../uploads/uploads.service';

/**
 * Uploads in parts, which a client can interrupt and resume (contract §7). They follow the protocol of every upload: admitted
 * and noted before any byte, one transaction that makes the build, and a sweeper for what is left; only their lease is longer.
 */
@Injectable()
export class ResumableUploadsService {
  constructor(
    private readonly repository: ResumableUploadsRepository,
    private readonly builds: BuildsService,
    private readonly uploads: UploadsService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
    private readonly quotas: QuotaConfig,
    private readonly config: StorageConfig,
  ) {}

  /**
   * Admits an upload. Nothing is asked of the store yet.
   * @throws AppError payload_too_large, quota_exceeded, what an admission may answer, what `allowPromotion` throws.
   */
  async start(
    ctx: RequestContext,
    scope: ProjectScope,
    announced: { readonly fileName: string; readonly sizeBytes: number },
    draft: BuildDraft,
  ): Promise<ResumableUpload> {
    const { sizeBytes } = announced;
    if (sizeBytes > this.config.maxUploadBytes) throw artifactTooLarge(this.config.maxUploadBytes);
    const fileName = shownFileName(announced.fileName);
    assertTellsEnough(fileName, draft);
    if (draft.channelId !== undefined) await this.builds.allowPromotion(ctx, scope, draft.channelId);
    return this.transactions.run(ctx, async (tx) => {
      await this.assertRoomForOneMore(tx, scope);
      const { id } = await this.uploads.admit(tx, scope, sizeBytes, PARTS_LEASE_SECONDS);
      await this.repository.insert(tx, {
        ...scopeOf(scope),
        id,
        fileName,
        sizeBytes: String(sizeBytes),
        partSizeBytes: String(partSizeFor(sizeBytes)),
        storeUploadId: null,
        draft,
        buildId: null,
        releaseId: null,
        createdAt: tx.clock.now(),
        completedAt: null,
      });
      const payload = { upload_id: id, size_bytes: sizeBytes };
      await this.audit.record(tx, { type: 'build.upload_started', ...scopeOf(scope), payload });
      return this.get(tx, scope, id);
    });
  }

  async get(ctx: RequestContext, scope: ProjectScope, id: string): Promise<ResumableUpload> {
    const upload = await this.repository.find(ctx, scope, id);
    if (!upload) throw noSuchUpload();
    return upload;
  }

  /** @throws AppError operation_not_allowed for one that has become a build. */
  async drop(ctx: RequestContext, scope: ProjectScope, id: string): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      const upload = await this.repository.lock(tx, scope, id);
      if (!upload) throw noSuchUpload();
      if (!isOpen(upload)) {
        throw new AppError('operation_not_allowed', { message: 'This upload has become a build. Delete the build.' });
      }
      await this.uploads.giveUp(tx, cleanupOf(upload), 'dropped');
    });
  }

  private async assertRoomForOneMore(ctx: RequestContext, scope: ProjectScope): Promise<void> {
    const limit = this.quotas.openUploadsPerProject;
    await this.transactions.advisoryLock(ctx, `uploads|${scope.projectId}`);
    if ((await this.repository.countOpen(ctx, scope)) < limit) return;
    throw new AppError('quota_exceeded', {
      message: `This project has ${limit} uploads open. Complete or drop one, or wait until they expire.`,
      details: { quota: 'open_uploads', limit },
    });
  }
}

const noSuchUpload = (): AppError => AppError.notFound('upload');
