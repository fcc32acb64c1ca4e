import { Controller, Post, Query, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { ProjectQuery, projectScope } from '#infra/http/dto/scope-query';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiResult, Errors } from '#infra/http/response/api-responses';
import { Idempotent } from '#infra/idempotency/idempotent';
import { Idempotently, type IdempotentWork } from '#infra/idempotency/idempotent-work';
import { Limit } from '#infra/rate-limit/limits';
import { AttachmentForm, AttachmentResponse } from '#modules/builds';
import { ATTACHMENT_UPLOADS_DOCS } from '../uploads.docs';
import { AttachmentReceiver } from './attachment-receiver';

@ApiTags('Builds')
@Describe(ATTACHMENT_UPLOADS_DOCS)
@Controller('builds/:build_id/attachments')
export class AttachmentUploadsController {
  constructor(private readonly receiver: AttachmentReceiver) {}

  @Post()
  @Access(ACCESS.project('UPLOAD_BUILD', 'builds:upload', { gated: true }))
  @Limit('upload')
  @Idempotent({ streams: true })
  @ApiConsumes('multipart/form-data')
  @ApiBody({ type: AttachmentForm })
  @Errors('invalid_input', 'already_exists', 'payload_too_large', 'quota_exceeded')
  @ApiResult('Add a file to a build', AttachmentResponse, 201)
  create(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('build_id') buildId: string,
    @Res({ passthrough: true }) response: Response,
    @Idempotently() work: IdempotentWork,
  ): Promise<AttachmentResponse> {
    return this.receiver.receive(ctx, { ...projectScope(query), buildId }, response, work);
  }
}
