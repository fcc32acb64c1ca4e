import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { toPage } from '#infra/http/dto/pagination';
import { ProjectPageQuery, ProjectQuery, projectScope } from '#infra/http/dto/scope-query';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiNoContent, ApiResult, Errors } from '#infra/http/response/api-responses';
import { Idempotent } from '#infra/idempotency/idempotent';
import { Limit } from '#infra/rate-limit/limits';
import { PROJECT_ACCESS_TOKENS_DOCS } from '../tokens.docs';
import { toNewProjectAccessTokenResponse, toProjectAccessTokenResponse } from '../tokens.mapper';
import { ProjectAccessTokenCreatorsService } from './project-access-token-creators.service';
import {
  CreateProjectAccessTokenRequest,
  NewProjectAccessTokenResponse,
  ProjectAccessTokenPage,
  RotateProjectAccessTokenRequest,
} from './project-access-tokens.dto';
import { ProjectAccessTokensService } from './project-access-tokens.service';

@ApiTags('Project access tokens')
@Describe(PROJECT_ACCESS_TOKENS_DOCS)
@Controller('project-access-tokens')
export class ProjectAccessTokensController {
  constructor(
    private readonly tokens: ProjectAccessTokensService,
    private readonly creators: ProjectAccessTokenCreatorsService,
  ) {}

  @Get()
  @Access(ACCESS.developer('projects:read', { project: 'UPLOAD_BUILD' }))
  @Limit('read')
  @ApiResult(
    'List the tokens of the project that are not revoked, including expired ones; without their values',
    ProjectAccessTokenPage,
  )
  async list(@Ctx() ctx: RequestContext, @Query() query: ProjectPageQuery): Promise<ProjectAccessTokenPage> {
    const page = await this.tokens.list(ctx, projectScope(query), query);
    return toPage({ ...page, items: await this.creators.many(ctx, page.items) }, toProjectAccessTokenResponse);
  }

  @Post()
  @Access(ACCESS.login({ project: 'UPLOAD_BUILD' }))
  @Limit('write')
  @Idempotent()
  @Errors('quota_exceeded', 'invalid_input')
  @ApiResult('Create a project access token; only this response contains its value', NewProjectAccessTokenResponse, 201)
  async create(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @Body() body: CreateProjectAccessTokenRequest,
  ): Promise<NewProjectAccessTokenResponse> {
    const expiresAt = body.expires_at ? new Date(body.expires_at) : null;
    const draft = { name: body.name, role: body.role, expiresAt };
    return toNewProjectAccessTokenResponse(
      await this.creators.one(ctx, await this.tokens.create(ctx, projectScope(query), draft)),
    );
  }

  @Post(':token_id/rotate')
  @Access(ACCESS.login({ project: 'UPLOAD_BUILD' }))
  @Limit('write')
  @Idempotent()
  @Errors('operation_not_allowed')
  @ApiResult(
    'Replace the value of a project access token; only this response contains the new value',
    NewProjectAccessTokenResponse,
  )
  async rotate(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('token_id', 'project access token') id: string,
    @Body() body: RotateProjectAccessTokenRequest,
  ): Promise<NewProjectAccessTokenResponse> {
    const overlapSeconds = body.overlap_seconds ?? 0;
    return toNewProjectAccessTokenResponse(
      await this.creators.one(ctx, await this.tokens.rotate(ctx, projectScope(query), id, overlapSeconds)),
    );
  }

  @Delete(':token_id')
  @Access(ACCESS.login({ project: 'UPLOAD_BUILD' }))
  @Limit('write')
  @Idempotent()
  @ApiNoContent('Revoke a project access token')
  revoke(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('token_id', 'project access token') id: string,
  ): Promise<void> {
    return this.tokens.revoke(ctx, projectScope(query), id);
  }
}
