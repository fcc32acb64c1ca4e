import { Controller, Post, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { ProjectQuery, projectScope } from '#infra/http/dto/scope-query';
import { type AppRequest } from '#infra/http/request/app-request';
import { Ctx } from '#infra/http/request/context';
import { ApiResult, Errors } from '#infra/http/response/api-responses';
import { Idempotent } from '#infra/idempotency/idempotent';
import { Idempotently, type IdempotentWork } from '#infra/idempotency/idempotent-work';
import { Limit } from '#infra/rate-limit/limits';
import { UploadReceiver } from './upload-receiver';
import { UPLOADS_DOCS } from './uploads.docs';
import { UploadBuildForm, UploadedBuildResponse } from './uploads.dto';

@ApiTags('Builds')
@Describe(UPLOADS_DOCS)
@Controller('builds')
export class UploadsController {
  constructor(private readonly receiver: UploadReceiver) {}

  @Post()
  @Access(ACCESS.project('UPLOAD_BUILD', 'builds:upload', { gated: true }))
  @Limit('upload')
  @Idempotent({ streams: true })
  @ApiConsumes('multipart/form-data')
  @ApiBody({ type: UploadBuildForm })
  @Errors('invalid_input', 'not_found', 'operation_not_allowed', 'payload_too_large')
  @ApiResult('Upload a build, and promote it if a channel is named', UploadedBuildResponse, 201)
  // Generated clients know the operation by this name.
  @ApiOperation({ operationId: 'Builds_create' })
  create(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @Req() request: AppRequest,
    @Res({ passthrough: true }) response: Response,
    @Idempotently() work: IdempotentWork,
  ): Promise<UploadedBuildResponse> {
    return this.receiver.receive(ctx, projectScope(query), { request, response }, work);
  }
}
