import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiResult, Errors } from '#infra/http/response/api-responses';
import { Limit } from '#infra/rate-limit/limits';
import { ORGANIZATION_EXPORTS_DOCS } from './data-exports.docs';
import {
  DataExportResponse,
  LatestExportResponse,
  RequestExportRequest,
  toDataExportResponse,
} from './data-exports.dto';
import { DataExportsService } from './data-exports.service';

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
