import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { OrganizationQuery } from '#infra/http/dto/scope-query';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiResult } from '#infra/http/response/api-responses';
import { Limit } from '#infra/rate-limit/limits';
import { PROJECT_QUOTAS_DOCS } from './quotas.docs';
import { QuotasResponse, toQuotasResponse } from './quotas.dto';
import { QuotasService } from './quotas.service';

@ApiTags('Projects')
@Describe(PROJECT_QUOTAS_DOCS)
@Controller('projects')
export class ProjectQuotasController {
  constructor(private readonly quotas: QuotasService) {}

  @Get(':project_id/quotas')
  @Access(ACCESS.project('VIEW_PROJECT', 'projects:read'))
  @Limit('read')
  @ApiResult('Get the quotas of a project', QuotasResponse)
  async list(
    @Ctx() ctx: RequestContext,
    @Query() query: OrganizationQuery,
    @IdParam('project_id') projectId: string,
  ): Promise<QuotasResponse> {
    return toQuotasResponse(await this.quotas.ofProject(ctx, { organizationId: query.organization_id, projectId }));
  }
}
