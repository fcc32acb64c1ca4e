import { Body, Controller, Delete, Get, Param, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiParam, ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { toPage } from '#infra/http/dto/pagination';
import { ProjectPageQuery, ProjectQuery, projectScope } from '#infra/http/dto/scope-query';
import { type AppRequest } from '#infra/http/request/app-request';
import { BodyLimit } from '#infra/http/request/body-parsers';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiNoContent, ApiResult, Errors } from '#infra/http/response/api-responses';
import { receivePart } from '#infra/http/upload/receive-part';
import { Idempotent } from '#infra/idempotency/idempotent';
import { Idempotently, type IdempotentWork } from '#infra/idempotency/idempotent-work';
import { Limit } from '#infra/rate-limit/limits';
import { RESUMABLE_UPLOADS_DOCS } from '../uploads.docs';
import { UploadedBuildResponse } from '../uploads.dto';
import {
  OpenUploadPage,
  PartUrlsRequest,
  PartUrlsResponse,
  ResumableUploadResponse,
  StartUploadRequest,
} from './resumable-uploads.dto';
import {
  toOpenUploadResponse,
  toPartSelection,
  toPartUrlsResponse,
  toUploadDraft,
  toUploadResponse,
} from './resumable-uploads.mapper';
import { ResumableUploadsService } from './resumable-uploads.service';
import { UploadCompletionService } from './upload-completion.service';
import { UploadPartsService } from './upload-parts.service';

/** Room for the longest notes and commits. */
const MAX_START_BYTES = 256 * 1024;

/** Uploads of large files in parts: parallel, resumable, and directly to the store where it signs URLs. */
@ApiTags('Builds')
@Describe(RESUMABLE_UPLOADS_DOCS)
@Controller('builds/uploads')
export class ResumableUploadsController {
  constructor(
    private readonly uploads: ResumableUploadsService,
    private readonly parts: UploadPartsService,
    private readonly completion: UploadCompletionService,
  ) {}

  @Post()
  @Access(ACCESS.project('UPLOAD_BUILD', 'builds:upload', { gated: true }))
  @Limit('upload')
  @Idempotent()
  @BodyLimit({ maxBytes: MAX_START_BYTES })
  @Errors('invalid_input', 'not_found', 'payload_too_large', 'quota_exceeded')
  @ApiResult('Start a resumable upload', ResumableUploadResponse, 201)
  async start(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @Body() body: StartUploadRequest,
  ): Promise<ResumableUploadResponse> {
    const file = { fileName: body.file_name, sizeBytes: body.size_bytes };
    const upload = await this.uploads.start(ctx, projectScope(query), file, toUploadDraft(body));
    return toUploadResponse(await this.parts.progressOf(ctx, upload));
  }

  @Get()
  @Access(ACCESS.project('UPLOAD_BUILD', 'builds:upload'))
  @Limit('read')
  @ApiResult('List the open uploads, newest first', OpenUploadPage)
  async list(@Ctx() ctx: RequestContext, @Query() query: ProjectPageQuery): Promise<OpenUploadPage> {
    return toPage(await this.parts.list(ctx, projectScope(query), query), toOpenUploadResponse);
  }

  @Get(':upload_id')
  @Access(ACCESS.project('UPLOAD_BUILD', 'builds:upload'))
  @Limit('read')
  @Errors('storage_backend_unavailable')
  @ApiResult('See which parts have arrived', ResumableUploadResponse)
  async get(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('upload_id') id: string,
  ): Promise<ResumableUploadResponse> {
    return toUploadResponse(await this.parts.progressOf(ctx, await this.uploads.get(ctx, projectScope(query), id)));
  }

  @Post(':upload_id/part-urls')
  @Access(ACCESS.project('UPLOAD_BUILD', 'builds:upload', { gated: true }))
  @Limit('write')
  @Idempotent({ streams: true })
  @Errors('storage_backend_unavailable', 'quota_exceeded')
  @ApiResult('Get URLs that accept parts for half an hour', PartUrlsResponse)
  async partUrls(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('upload_id') id: string,
    @Body() body: PartUrlsRequest,
    @Idempotently() work: IdempotentWork,
  ): Promise<PartUrlsResponse> {
    const scope = projectScope(query);
    await this.parts.begin(ctx, scope, id);
    return work.commit(async (tx) => toPartUrlsResponse(await this.parts.urls(tx, scope, id, toPartSelection(body))));
  }

  @Put('parts/:ticket')
  @Access({ public: true })
  @Limit('part')
  @ApiParam({ name: 'ticket', type: 'string', description: 'The entire credential. It expires after half an hour.' })
  @ApiConsumes('application/octet-stream')
  @ApiBody({ schema: { type: 'string', format: 'binary' } })
  @Errors('not_found', 'invalid_input', 'validation_error', 'payload_too_large', 'storage_backend_unavailable')
  @ApiNoContent('Send a part, where the store does not accept parts directly')
  put(
    @Ctx() ctx: RequestContext,
    @Req() request: AppRequest,
    @Res({ passthrough: true }) response: Response,
    @Param('ticket') ticket: string,
  ): Promise<void> {
    return receivePart(request, response, () => this.parts.open(ctx, ticket));
  }

  @Post(':upload_id/complete')
  @Access(ACCESS.project('UPLOAD_BUILD', 'builds:upload', { gated: true }))
  @Limit('upload')
  @Idempotent({ streams: true })
  @Errors('invalid_input', 'storage_backend_unavailable', 'quota_exceeded')
  @ApiResult('Make the build of the parts, and promote it if a channel was named', UploadedBuildResponse, 201)
  complete(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('upload_id') id: string,
    @Idempotently() work: IdempotentWork,
  ): Promise<UploadedBuildResponse> {
    return this.completion.complete(ctx, projectScope(query), id, work);
  }

  @Delete(':upload_id')
  @Access(ACCESS.project('UPLOAD_BUILD', 'builds:upload'))
  @Limit('write')
  @Idempotent()
  @Errors('operation_not_allowed')
  @ApiNoContent('Drop an upload: releases its reservation and deletes its parts')
  drop(@Ctx() ctx: RequestContext, @Query() query: ProjectQuery, @IdParam('upload_id') id: string): Promise<void> {
    return this.uploads.drop(ctx, projectScope(query), id);
  }
}
