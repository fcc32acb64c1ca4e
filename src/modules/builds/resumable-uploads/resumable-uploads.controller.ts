import { Body, Controller, Delete, Get, Param, Post, Put, Query, Req, Res, UseInterceptors } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiParam, ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { type RequestContext } from '#kernel/context/request-context';
import { type AppRequest } from '#infra/http/request/app-request';
import { ApiResult, ApiNoContent } from '#infra/http/response/api-responses';
import { Ctx } from '#infra/http/request/context';
import { Errors } from '#infra/http/response/api-errors';
import { IdParam } from '#infra/http/request/id-param';
import { ProjectQuery } from '#infra/http/dto/parent-query';
import { projectScope } from '#infra/http/dto/scopes';
import { Idempotent } from '#infra/idempotency/idempotent';
import { Limit } from '#infra/rate-limit/limits';
import { ACCESS, Access } from '#infra/http/access';
import { receivePart } from '#infra/upload/receive-part';
import { toBuildDraft, toUploadedBuildResponse } from '../catalogue/builds.mapper';
import { UploadedBuildResponse } from '../catalogue/dto/uploaded-build.response';
import { PartUrlsRequest, StartUploadRequest } from './dto/resumable-upload.requests';
import { PartUrlsResponse, ResumableUploadResponse } from './dto/resumable-upload.response';
import { toPartUrlsResponse, toUploadResponse } from './resumable-uploads.mapper';
import { ResumableUploadsService } from './resumable-uploads.service';
import { UploadCompletionService } from './upload-completion.service';
import { UploadPartsService } from './upload-parts.service';
import { AssemblesArtifact, Assembled, BeginsParts } from './upload-steps.interceptor';
import { type StoredArtifact } from '../uploads/upload';

/** Large files: in parts, several at once, resumed after a break, straight to the store where it can be. */
@ApiTags('Builds')
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
  @Errors('invalid_input', 'not_found', 'payload_too_large', 'quota_exceeded')
  @ApiResult('Begin a resumable upload', ResumableUploadResponse, 201)
  async start(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @Body() body: StartUploadRequest,
  ): Promise<ResumableUploadResponse> {
    const file = { fileName: body.file_name, sizeBytes: body.size_bytes };
    const upload = await this.uploads.start(ctx, projectScope(query), file, toBuildDraft(body));
    return toUploadResponse(await this.parts.progressOf(ctx, upload));
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
  @UseInterceptors(BeginsParts)
  @Errors('storage_backend_unavailable', 'quota_exceeded')
  @ApiResult('Get addresses that take parts for half an hour', PartUrlsResponse)
  async partUrls(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('upload_id') id: string,
    @Body() body: PartUrlsRequest,
  ): Promise<PartUrlsResponse> {
    return toPartUrlsResponse(await this.parts.urls(ctx, projectScope(query), id, body.part_numbers));
  }

  @Put('parts/:ticket')
  @Access({ public: true })
  @Limit('part')
  @ApiParam({ name: 'ticket', type: 'string', description: 'The entire credential; it ends after half an hour.' })
  @ApiConsumes('application/octet-stream')
  @ApiBody({ schema: { type: 'string', format: 'binary' } })
  @Errors('not_found', 'invalid_input', 'validation_error', 'payload_too_large', 'storage_backend_unavailable')
  @ApiNoContent('Send a part, where the store takes none itself')
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
  @UseInterceptors(AssemblesArtifact)
  @Errors('invalid_input', 'storage_backend_unavailable', 'quota_exceeded')
  @ApiResult('Make the build of the parts, and promote it if a channel was named', UploadedBuildResponse, 201)
  async complete(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('upload_id') id: string,
    @Assembled() artifact: StoredArtifact | null,
  ): Promise<UploadedBuildResponse> {
    return toUploadedBuildResponse(await this.completion.commit(ctx, projectScope(query), id, artifact));
  }

  @Delete(':upload_id')
  @Access(ACCESS.project('UPLOAD_BUILD', 'builds:upload'))
  @Limit('write')
  @Idempotent()
  @Errors('operation_not_allowed')
  @ApiNoContent('Drop an upload: its room returns at once, its parts are deleted')
  drop(@Ctx() ctx: RequestContext, @Query() query: ProjectQuery, @IdParam('upload_id') id: string): Promise<void> {
    return this.uploads.drop(ctx, projectScope(query), id);
  }
}
