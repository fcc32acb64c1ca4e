import { Injectable } from '@nestjs/common';
import { type Response } from 'express';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { UploadConfig } from '#infra/config/config';
import { InputValidationPipe } from '#infra/http/request/input-validation.pipe';
import { formDigest } from '#infra/http/upload/form-digest';
import { receiveForm } from '#infra/http/upload/receive-form';
import { type IdempotentWork } from '#infra/idempotency/idempotent-work';
import {
  type AttachmentResponse,
  AttachmentsService,
  CreateAttachmentRequest,
  toAttachmentDraft,
  toAttachmentResponse,
} from '#modules/builds';
import { expectedBytesOf } from '../expected-bytes';
import { UploadLifecycleService } from '../lifecycle/upload-lifecycle.service';
import { UploadRunsService } from '../lifecycle/upload-runs.service';
import { UploadCommitService } from '../upload-commit.service';
import { AttachmentReader } from './attachment-reader';

/** Receives an attachment of a build in one request. An upload that fails leaves nothing behind. */
@Injectable()
export class AttachmentReceiver {
  private readonly validation = new InputValidationPipe();

  constructor(
    private readonly attachments: AttachmentsService,
    private readonly lifecycle: UploadLifecycleService,
    private readonly runs: UploadRunsService,
    private readonly commits: UploadCommitService,
    private readonly limits: UploadConfig,
  ) {}

  /**
   * The whole of `POST /builds/{build_id}/attachments`. No transaction is open while bytes are received.
   * @throws AppError those of `AttachmentsService.requireRoom` and of a reservation, before a byte is read; those of `receiveForm` and of
   * `UploadCommitService.attach`.
   */
  async receive(
    ctx: RequestContext,
    { buildId, ...scope }: ProjectScope & { readonly buildId: string },
    response: Response,
    work: IdempotentWork,
  ): Promise<AttachmentResponse> {
    await this.attachments.requireRoom(ctx, scope, buildId);
    const { maxBytes, minBytesPerSecond } = this.limits;
    const upload = await this.lifecycle.start(ctx, scope, expectedBytesOf(response.req, maxBytes));
    return this.runs.run(ctx, upload, async () => {
      const reader = new AttachmentReader();
      const destination = { store: upload.store, key: upload.blob.key, observe: (chunk: Buffer) => reader.add(chunk) };
      const open = () => Promise.resolve(destination);
      const form = await receiveForm(response.req, response, { maxBytes, minBytesPerSecond, open });
      const { fileName, sizeBytes, sha256 } = form.file;
      const file = { fileName, sizeBytes, sha256, blob: upload.blob, ...reader.result() };
      const draft = toAttachmentDraft(await this.validation.validateParts(form.fields, CreateAttachmentRequest));
      return work.commit(async (tx) => {
        const attachment = await this.commits.attach(tx, upload, file, { ...draft, buildId });
        return toAttachmentResponse(attachment, buildId);
      }, formDigest(form));
    });
  }
}
