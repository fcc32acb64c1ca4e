import { Body, Controller, Get, Post, Head, Param, Req, Res } from '@nestjs/common';
import { ApiTags, ApiParam } from '@nestjs/swagger';
import { type Response } from 'express';
import { developerOf, type RequestContext } from '#kernel/context/request-context';
import { Access, ACCESS } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { Ctx } from '#infra/http/request/context';
import { ApiResult, Errors, ApiBlob, ApiBlobHead } from '#infra/http/response/api-responses';
import { Limit } from '#infra/rate-limit/limits';
import { IdParam } from '#infra/http/request/id-param';
import { type AppRequest } from '#infra/http/request/app-request';
import { sendBlob } from '#infra/http/response/blob-response';
import { type ExportSubject } from './data-export';
import { DEVELOPER_EXPORTS_DOCS, ORGANIZATION_EXPORTS_DOCS, EXPORT_DOWNLOADS_DOCS } from './data-exports.docs';
import { DataExportsService } from './data-exports.service';
import {
  RequestExportRequest,
  DataExportResponse,
  LatestExportResponse,
  toDataExportResponse,
} from './data-exports.dto';
import { DataExportArchives } from './data-export-archives';

@ApiTags('Developer account')
@Describe(DEVELOPER_EXPORTS_DOCS)
@Controller('developers/me/export')
export class DeveloperExportsController {
  constructor(private readonly exports: DataExportsService) {}

  @Post()
  @Access(ACCESS.login())
  @Limit('password')
  @Errors('invalid_input')
  @ApiResult('Request an export of your data', DataExportResponse, 202)
  async request(@Ctx() ctx: RequestContext, @Body() { password }: RequestExportRequest): Promise<DataExportResponse> {
    const requested = await this.exports.request(ctx, subjectOf(ctx), password);
    return toDataExportResponse(requested, this.exports.urlOf(requested));
  }

  @Get()
  @Access(ACCESS.login())
  @Limit('read')
  @ApiResult('See whether the export of your data is ready', LatestExportResponse)
  async latest(@Ctx() ctx: RequestContext): Promise<LatestExportResponse> {
    const found = await this.exports.latest(ctx, subjectOf(ctx));
    return { export: found && toDataExportResponse(found, this.exports.urlOf(found)) };
  }
}

const subjectOf = (ctx: RequestContext): ExportSubject => ({ kind: 'developer', id: developerOf(ctx).developerId });

@ApiTags('Organizations')
@Describe(ORGANIZATION_EXPORTS_DOCS)
@Controller('organizations/:organization_id/export')
export class OrganizationExportsController {
  constructor(private readonly exports: DataExportsService) {}

  @Post()
  @Access(ACCESS.login({ organization: ['ADMIN'] }))
  @Limit('password')
  @Errors('invalid_input')
  @ApiResult('Request an export of all data of the organization', DataExportResponse, 202)
  async request(
    @Ctx() ctx: RequestContext,
    @IdParam('organization_id') id: string,
    @Body() { password }: RequestExportRequest,
  ): Promise<DataExportResponse> {
    const requested = await this.exports.request(ctx, { kind: 'organization', id }, password);
    return toDataExportResponse(requested, this.exports.urlOf(requested));
  }

  @Get()
  @Access(ACCESS.login({ organization: ['ADMIN'] }))
  @Limit('read')
  @ApiResult('See whether the export that you requested is ready', LatestExportResponse)
  async latest(@Ctx() ctx: RequestContext, @IdParam('organization_id') id: string): Promise<LatestExportResponse> {
    const found = await this.exports.latest(ctx, { kind: 'organization', id });
    return { export: found && toDataExportResponse(found, this.exports.urlOf(found)) };
  }
}

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
