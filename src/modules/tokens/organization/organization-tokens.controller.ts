import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { toPage } from '#infra/http/dto/pagination';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiResult, Errors } from '#infra/http/response/api-responses';
import { Limit } from '#infra/rate-limit/limits';
import { ORGANIZATION_TOKENS_DOCS } from '../tokens.docs';
import { toIdentifiedTokenResponse, toOrganizationTokenResponse } from '../tokens.mapper';
import {
  IdentifiedTokenResponse,
  IdentifyTokenRequest,
  OrganizationTokenPage,
  OrganizationTokensQuery,
} from './organization-tokens.dto';
import { OrganizationTokensService } from './organization-tokens.service';

@ApiTags('Project access tokens')
@Describe(ORGANIZATION_TOKENS_DOCS)
@Controller('organizations/:organization_id')
export class OrganizationTokensController {
  constructor(private readonly tokens: OrganizationTokensService) {}

  @Get('project-access-tokens')
  @Access(ACCESS.developer('projects:read', { organization: ['MANAGER'] }))
  @Limit('read')
  @ApiResult('List the project access tokens of all projects; without their values', OrganizationTokenPage)
  async list(
    @Ctx() ctx: RequestContext,
    @IdParam('organization_id') id: string,
    @Query() { unused_days: unusedDays, last4, ...page }: OrganizationTokensQuery,
  ): Promise<OrganizationTokenPage> {
    return toPage(await this.tokens.list(ctx, id, { unusedDays, last4 }, page), toOrganizationTokenResponse);
  }

  /** `POST`, so that the value is in the body: addresses are logged by proxies. */
  @Post('tokens/identify')
  @Access(ACCESS.login({ organization: 'member' }))
  @Limit('write')
  @Errors('not_found')
  @ApiResult('Find the token that a value belongs to', IdentifiedTokenResponse)
  async identify(
    @Ctx() ctx: RequestContext,
    @IdParam('organization_id') id: string,
    @Body() { token }: IdentifyTokenRequest,
  ): Promise<IdentifiedTokenResponse> {
    return toIdentifiedTokenResponse(await this.tokens.identify(ctx, id, token));
  }
}
