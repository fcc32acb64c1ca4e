import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiResult } from '#infra/http/response/api-responses';
import { Limit } from '#infra/rate-limit/limits';
import { ORGANIZATION_QUOTAS_DOCS } from './quotas.docs';
import { QuotasResponse, toQuotasResponse } from './quotas.dto';
import { QuotasService } from './quotas.service';

@ApiTags('Organizations')
@Describe(ORGANIZATION_QUOTAS_DOCS)
@Controller('organizations')
export class OrganizationQuotasController {
  constructor(private readonly quotas: QuotasService) {}

  @Get(':organization_id/quotas')
  @Access(ACCESS.developer('organization:read', { organization: 'member' }))
  @Limit('read')
  @ApiResult('Get the quotas of an organization', QuotasResponse)
  async list(@Ctx() ctx: RequestContext, @IdParam('organization_id') id: string): Promise<QuotasResponse> {
    return toQuotasResponse(await this.quotas.ofOrganization(ctx, id));
  }
}
