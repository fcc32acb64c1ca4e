import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ApiNoContent, ApiResult, Errors } from '#infra/http/response/api-responses';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { toPage } from '#infra/http/dto/pagination';
import { OrganizationPageQuery, OrganizationQuery } from '#infra/http/dto/scope-query';
import { Idempotent } from '#infra/idempotency/idempotent';
import { Limit } from '#infra/rate-limit/limits';
import { Access } from '#infra/http/access';
import { CreatePersonalAccessTokenRequest } from '../dto/create-personal-access-token.request';
import { NewPersonalAccessTokenResponse, PatPage } from '../dto/personal-access-token.response';
import { PersonalAccessTokensService } from './personal-access-tokens.service';
import { toNewPersonalAccessTokenResponse, toPersonalAccessTokenResponse } from '../tokens.mapper';

@ApiTags('Personal access tokens')
@Controller('pats')
export class PersonalAccessTokensController {
  constructor(private readonly tokens: PersonalAccessTokensService) {}

  @Get()
  @Access({ by: ['jwt'], organization: 'member' })
  @Limit('read')
  @ApiResult(
    'List your tokens in the organization, expired ones too until they are revoked; for an ADMIN, everybody’s',
    PatPage,
  )
  async list(@Ctx() ctx: RequestContext, @Query() query: OrganizationPageQuery): Promise<PatPage> {
    return toPage(await this.tokens.page(ctx, query.organization_id, query), toPersonalAccessTokenResponse);
  }

  @Post()
  @Access({ by: ['jwt'], organization: 'member' })
  @Limit('write')
  @Idempotent()
  @Errors('quota_exceeded', 'invalid_input')
  @ApiResult('Create a personal access token; its value is shown this once', NewPersonalAccessTokenResponse, 201)
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
  @Access({ by: ['jwt'], organization: 'member' })
  @Limit('write')
  @Idempotent()
  @ApiResult(
    'Give a personal access token a new value, shown this once; the old one stops at once',
    NewPersonalAccessTokenResponse,
  )
  async rotate(
    @Ctx() ctx: RequestContext,
    @Query() query: OrganizationQuery,
    @IdParam('token_id') id: string,
  ): Promise<NewPersonalAccessTokenResponse> {
    return toNewPersonalAccessTokenResponse(await this.tokens.rotate(ctx, query.organization_id, id));
  }

  @Delete(':token_id')
  @Access({ by: ['jwt'], organization: 'member' })
  @Limit('write')
  @Idempotent()
  @ApiNoContent('Revoke a personal access token')
  revoke(
    @Ctx() ctx: RequestContext,
    @Query() query: OrganizationQuery,
    @IdParam('token_id') id: string,
  ): Promise<void> {
    return this.tokens.revoke(ctx, query.organization_id, id);
  }
}
