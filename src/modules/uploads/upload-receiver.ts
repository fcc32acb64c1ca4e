import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { isUuid } from '#kernel/ids';
import { ReceivedHasher } from '#infra/artifact-inspection/received-hashes';
import { UploadConfig } from '#infra/config/config';
import { InputValidationPipe } from '#infra/http/request/input-validation.pipe';
import { disconnectionOf } from '#infra/http/response/disconnection';
import { formDigest } from '#infra/http/upload/form-digest';
import { receiveForm } from '#infra/http/upload/receive-form';
import { uploadAborted } from '#infra/http/upload/upload-body';
import { type IdempotentWork } from '#infra/idempotency/idempotent-work';
import { type BuildDraft, BuildViews } from '#modules/builds';
import { expectedBytesOf } from './expected-bytes';
import { UploadLifecycleService } from './lifecycle/upload-lifecycle.service';
import { UploadRunsService } from './lifecycle/upload-runs.service';
import { PromotionTargetsService } from './promotion-targets.service';
import { UploadCommitService, type UploadedBuild } from './upload-commit.service';
import { UploadInspectionService } from './upload-inspection.service';
import { CreateBuildRequest, toBuildDraft, toUploadedBuildResponse, type UploadedBuildResponse } from './uploads.dto';

/** Receives an artifact in one request and makes its build. An upload that fails leaves nothing behind. */
@Injectable()
export class UploadReceiver {
  private readonly validation = new InputValidationPipe();

  constructor(
    private readonly lifecycle: UploadLifecycleService,
    private readonly inspection: UploadInspectionService,
    private readonly commits: UploadCommitService,
    private readonly targets: PromotionTargetsService,
    private readonly views: BuildViews,
    private readonly limits: UploadConfig,
    private readonly runs: UploadRunsService,
  ) {}

  /**
   * The whole of `POST /builds`. No transaction is open while bytes are received and inspected.
   * @throws AppError the errors of a reservation, before a byte is read; those of `receiveForm`, of the inspection and of
   * `UploadCommitService.commit`.
   */
  async receive(
    ctx: RequestContext,
    scope: ProjectScope,
    { request, response }: { readonly request: Request; readonly response: Response },
    work: IdempotentWork,
  ): Promise<UploadedBuildResponse> {
    const upload = await this.lifecycle.start(ctx, scope, expectedBytesOf(request, this.limits.maxBytes));
    return this.runs.run(ctx, upload, async () => {
      let hasher = new ReceivedHasher('');
      const form = await receiveForm(request, response, {
        maxBytes: this.limits.maxBytes,
        minBytesPerSecond: this.limits.minBytesPerSecond,
        open: async (fileName, { channel_id: channelId }) => {
          // Checked here to reject early. A malformed channel_id, or one that follows the file, is checked after the file.
          if (isUuid(channelId)) await this.targets.require(ctx, scope, channelId);
          hasher = new ReceivedHasher(fileName);
          return { store: upload.store, key: upload.blob.key, observe: (chunk) => hasher.add(chunk) };
        },
      });
      const file = { ...form.file, blob: upload.blob };
      const received = { signal: disconnectionOf(response, uploadAborted), hashes: hasher.result() };
      const artifact = await this.inspection.inspect(upload, file, received);
      const draft = toBuildDraft(await this.validation.validateParts(form.fields, CreateBuildRequest));
      return work.commit(async (tx) => {
        const build = await this.commits.commit(tx, upload, artifact, draft);
        const { releaseId, branchProblem } = build;
        const shown = await this.views.ofNew(tx, build, { isPromoted: releaseId !== null || build.isRestored });
        return toUploadedBuildResponse(shown, { releaseId, attachmentId: null, branchProblem });
      }, formDigest(form));
    });
  }

  /** Makes the build of a small artifact in memory, by the same steps. */
  async createBuild(
    ctx: RequestContext,
    scope: ProjectScope,
    { fileName, bytes }: { readonly fileName: string; readonly bytes: Buffer },
    draft: BuildDraft,
  ): Promise<UploadedBuild> {
    const upload = await this.lifecycle.start(ctx, scope, bytes.length);
    return this.runs.run(ctx, upload, async () => {
      const { store, blob } = upload;
      await store.write(blob.key, Readable.from([bytes]));
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const hasher = new ReceivedHasher(fileName);
      hasher.add(bytes);
      const file = { fileName, sizeBytes: bytes.length, sha256, blob };
      const artifact = await this.inspection.inspect(upload, file, { hashes: hasher.result() });
      return this.commits.commit(ctx, upload, artifact, draft);
    });
  }
}
