import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { toPage } from '#infra/http/dto/pagination';
import { OrganizationPageQuery, OrganizationQuery } from '#infra/http/dto/scope-query';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiNoContent, ApiResult, Errors } from '#infra/http/response/api-responses';
import { Idempotent } from '#infra/idempotency/idempotent';
import { Limit } from '#infra/rate-limit/limits';
import { PERSONAL_ACCESS_TOKENS_DOCS } from '../tokens.docs';
import { toNewPersonalAccessTokenResponse, toPersonalAccessTokenResponse } from '../tokens.mapper';
import {
  CreatePersonalAccessTokenRequest,
  NewPersonalAccessTokenResponse,
  PatPage,
  RevokeValueRequest,
} from './personal-access-tokens.dto';
import { PersonalAccessTokensService } from './personal-access-tokens.service';

@ApiTags('Personal access tokens')
@Describe(PERSONAL_ACCESS_TOKENS_DOCS)
@Controller('pats')
export class PersonalAccessTokensController {
  constructor(private readonly tokens: PersonalAccessTokensService) {}

  @Get()
  @Access(ACCESS.login({ organization: 'member' }))
  @Limit('read')
  @ApiResult(
    'List your tokens in the organization that are not revoked, including expired ones; for an ADMIN, those of all members',
    PatPage,
  )
  async list(@Ctx() ctx: RequestContext, @Query() query: OrganizationPageQuery): Promise<PatPage> {
    return toPage(await this.tokens.list(ctx, query.organization_id, query), toPersonalAccessTokenResponse);
  }

  @Post()
  @Access(ACCESS.login({ organization: 'member' }))
  @Limit('write')
  @Idempotent()
  @Errors('quota_exceeded', 'invalid_input')
  @ApiResult(
    'Create a personal access token; only this response contains its value',
    NewPersonalAccessTokenResponse,
    201,
  )
  async create(
    @Ctx() ctx: RequestContext,
    @Query() query: OrganizationQuery,
    @Body() body: CreatePersonalAccessTokenRequest,
  ): Promise<NewPersonalAccessTokenResponse> {
    const expiresAt = body.expires_at ? new Date(body.expires_at) : null;
    const draft = { name: body.name, scopes: body.scopes, expiresAt };
    return toNewPersonalAccessTokenResponse(await this.tokens.create(ctx, query.organization_id, draft));
  }

  @Post(':token_id/rotate')
  @Access(ACCESS.login({ organization: 'member' }))
  @Limit('write')
  @Idempotent()
  @Errors('operation_not_allowed')
  @ApiResult(
    'Replace the value of a personal access token; only this response contains the new value, and the old one stops working',
    NewPersonalAccessTokenResponse,
  )
  async rotate(
    @Ctx() ctx: RequestContext,
    @Query() query: OrganizationQuery,
    @IdParam('token_id', 'personal access token') id: string,
  ): Promise<NewPersonalAccessTokenResponse> {
    return toNewPersonalAccessTokenResponse(await this.tokens.rotate(ctx, query.organization_id, id));
  }

  @Post('revoke')
  @Access({ public: true })
  @Limit('login')
  @ApiNoContent('Revoke a personal access token by its value')
  revokeValue(@Ctx() ctx: RequestContext, @Body() { token }: RevokeValueRequest): Promise<void> {
    return this.tokens.revokeValue(ctx, token);
  }

  @Delete(':token_id')
  @Access(ACCESS.login({ organization: 'member' }))
  @Limit('write')
  @Idempotent()
  @ApiNoContent('Revoke a personal access token')
  revoke(
    @Ctx() ctx: RequestContext,
    @Query() query: OrganizationQuery,
    @IdParam('token_id', 'personal access token') id: string,
  ): Promise<void> {
    return this.tokens.revoke(ctx, query.organization_id, id);
  }
}
