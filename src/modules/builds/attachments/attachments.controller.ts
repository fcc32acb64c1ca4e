import { Controller, Delete, Get, Head, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { ProjectQuery, projectScope } from '#infra/http/dto/scope-query';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiBlobHead, ApiNoContent, ApiRedirect, ApiResult, Errors } from '#infra/http/response/api-responses';
import { sendBlob } from '#infra/http/response/blob-response';
import { Idempotent } from '#infra/idempotency/idempotent';
import { Limit } from '#infra/rate-limit/limits';
import { ATTACHMENTS_DOCS } from '../builds.docs';
import { BuildsService } from '../catalogue/builds.service';
import { DownloadTicketsService } from '../downloads/download-tickets.service';
import { DownloadsService } from '../downloads/downloads.service';
import { AttachmentsResponse, toAttachmentResponse } from './attachments.dto';
import { AttachmentsService } from './attachments.service';

@ApiTags('Builds')
@Describe(ATTACHMENTS_DOCS)
@Controller('builds/:build_id/attachments')
export class AttachmentsController {
  constructor(
    private readonly builds: BuildsService,
    private readonly attachments: AttachmentsService,
    private readonly tickets: DownloadTicketsService,
    private readonly downloads: DownloadsService,
  ) {}

  @Get()
  @Access(ACCESS.project('VIEW_PROJECT', 'builds:read'))
  @Limit('read')
  @ApiResult('List the attachments of a build', AttachmentsResponse)
  async list(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('build_id') buildId: string,
  ): Promise<AttachmentsResponse> {
    const scope = projectScope(query);
    await this.builds.get(ctx, scope, buildId);
    const attachments = await this.attachments.listOf(ctx, scope, buildId);
    return { items: attachments.map((attachment) => toAttachmentResponse(attachment, buildId)) };
  }

  @Head(':attachment_id/download')
  @Access(ACCESS.project('DOWNLOAD_BUILD', 'builds:download'))
  @Limit('download')
  @ApiBlobHead('Get size and type of an attachment; reserves nothing')
  async look(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('build_id') buildId: string,
    @IdParam('attachment_id') id: string,
    @Res() response: Response,
  ): Promise<void> {
    const scope = projectScope(query);
    await this.builds.get(ctx, scope, buildId);
    const attachment = await this.attachments.get(ctx, scope, buildId, id);
    await sendBlob(response.req, response, await this.downloads.describe(ctx, attachment));
  }

  @Get(':attachment_id/download')
  @Access(ACCESS.project('DOWNLOAD_BUILD', 'builds:download', { gated: true }))
  @Limit('download')
  @ApiRedirect('Download an attachment; redirects to a download URL minted for this request')
  @Errors('prepaid_credit_exhausted', 'spend_cap_exceeded', 'quota_exceeded')
  async download(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('build_id') buildId: string,
    @IdParam('attachment_id') id: string,
  ): Promise<{ url: string }> {
    const { url } = await this.tickets.mint(ctx, projectScope(query), buildId, id);
    return { url };
  }

  @Delete(':attachment_id')
  @Access(ACCESS.project('UPLOAD_BUILD', 'builds:write'))
  @Limit('write')
  @Idempotent()
  @ApiNoContent('Delete an attachment: feeds no longer contain it, its bytes are deleted later')
  delete(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('build_id') buildId: string,
    @IdParam('attachment_id') id: string,
  ): Promise<void> {
    return this.attachments.delete(ctx, projectScope(query), buildId, id);
  }
}
