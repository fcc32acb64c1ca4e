import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ApiNoContent, ApiResult, Errors } from '#infra/http/response/api-responses';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { toPage } from '#infra/http/dto/pagination';
import { ProjectPageQuery, ProjectQuery, projectScope } from '#infra/http/dto/scope-query';
import { Idempotent } from '#infra/idempotency/idempotent';
import { Limit } from '#infra/rate-limit/limits';
import { Access } from '#infra/http/access';
import {
  CreateProjectAccessTokenRequest,
  RotateProjectAccessTokenRequest,
} from '../dto/create-project-access-token.request';
import { NewProjectAccessTokenResponse, ProjectAccessTokenPage } from '../dto/project-access-token.response';
import { ProjectAccessTokensService } from './project-access-tokens.service';
import { toNewProjectAccessTokenResponse, toProjectAccessTokenResponse } from '../tokens.mapper';

@ApiTags('Project access tokens')
@Controller('project-access-tokens')
export class ProjectAccessTokensController {
  constructor(private readonly tokens: ProjectAccessTokensService) {}

  @Get()
  @Access({ by: ['jwt', 'pat'], scope: 'projects:read', project: 'UPLOAD_BUILD' })
  @Limit('read')
  @ApiResult(
    'List the tokens of the project, expired ones too until they are revoked; never their values',
    ProjectAccessTokenPage,
  )
  async list(@Ctx() ctx: RequestContext, @Query() query: ProjectPageQuery): Promise<ProjectAccessTokenPage> {
    return toPage(await this.tokens.page(ctx, projectScope(query), query), toProjectAccessTokenResponse);
  }

  @Post()
  @Access({ by: ['jwt'], project: 'UPLOAD_BUILD' })
  @Limit('write')
  @Idempotent()
  @Errors('quota_exceeded', 'invalid_input')
  @ApiResult('Create a project access token; its value is shown this once', NewProjectAccessTokenResponse, 201)
  async create(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @Body() body: CreateProjectAccessTokenRequest,
  ): Promise<NewProjectAccessTokenResponse> {
    const expiresAt = body.expires_at ? new Date(body.expires_at) : null;
    return toNewProjectAccessTokenResponse(
      await this.tokens.create(ctx, projectScope(query), { name: body.name, role: body.role, expiresAt }),
    );
  }

  @Post(':token_id/rotate')
  @Access({ by: ['jwt'], project: 'UPLOAD_BUILD' })
  @Limit('write')
  @Idempotent()
  @ApiResult('Give a project access token a new value, shown this once', NewProjectAccessTokenResponse)
  async rotate(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('token_id') id: string,
    @Body() body: RotateProjectAccessTokenRequest,
  ): Promise<NewProjectAccessTokenResponse> {
    const overlapSeconds = body.overlap_seconds ?? 0;
    return toNewProjectAccessTokenResponse(await this.tokens.rotate(ctx, projectScope(query), id, overlapSeconds));
  }

  @Delete(':token_id')
  @Access({ by: ['jwt'], project: 'UPLOAD_BUILD' })
  @Limit('write')
  @Idempotent()
  @ApiNoContent('Revoke a project access token')
  revoke(@Ctx() ctx: RequestContext, @Query() query: ProjectQuery, @IdParam('token_id') id: string): Promise<void> {
    return this.tokens.revoke(ctx, projectScope(query), id);
  }
}
