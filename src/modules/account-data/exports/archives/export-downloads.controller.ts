import { Controller, Get, Head, Param, Req, Res } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { type RequestContext } from '#kernel/context/request-context';
import { Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { type AppRequest } from '#infra/http/request/app-request';
import { Ctx } from '#infra/http/request/context';
import { ApiBlob, ApiBlobHead, Errors } from '#infra/http/response/api-responses';
import { sendBlob } from '#infra/http/response/blob-response';
import { Limit } from '#infra/rate-limit/limits';
import { DataExportArchives } from './data-export-archives';
import { EXPORT_DOWNLOADS_DOCS } from '../data-exports.docs';

@ApiTags('Developer account')
@Describe(EXPORT_DOWNLOADS_DOCS)
@ApiParam({ name: 'ticket', type: 'string', description: 'The entire credential. It expires after a day.' })
@Controller('exports/:ticket')
export class ExportDownloadsController {
  constructor(private readonly archives: DataExportArchives) {}

  @Head()
  @Access({ public: true })
  @Limit('download-bytes')
  @Errors('not_found')
  @ApiBlobHead('Get the headers of the archive of an export')
  head(
    @Ctx() ctx: RequestContext,
    @Req() request: AppRequest,
    @Res() response: Response,
    @Param('ticket') ticket: string,
  ): Promise<void> {
    return this.send(ctx, request, response, ticket);
  }

  @Get()
  @Access({ public: true })
  @Limit('download-bytes')
  @Errors('not_found', 'range_not_satisfiable')
  @ApiBlob('Download the archive of an export')
  get(
    @Ctx() ctx: RequestContext,
    @Req() request: AppRequest,
    @Res() response: Response,
    @Param('ticket') ticket: string,
  ): Promise<void> {
    return this.send(ctx, request, response, ticket);
  }

  private async send(ctx: RequestContext, request: AppRequest, response: Response, ticket: string): Promise<void> {
    await sendBlob(request, response, await this.archives.open(ctx, ticket));
  }
}
