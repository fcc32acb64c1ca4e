import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { developerOf, type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { Ctx } from '#infra/http/request/context';
import { ApiResult, Errors } from '#infra/http/response/api-responses';
import { Limit } from '#infra/rate-limit/limits';
import { type ExportSubject } from './data-export';
import { DEVELOPER_EXPORTS_DOCS } from './data-exports.docs';
import {
  DataExportResponse,
  LatestExportResponse,
  RequestExportRequest,
  toDataExportResponse,
} from './data-exports.dto';
import { DataExportsService } from './data-exports.service';

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
