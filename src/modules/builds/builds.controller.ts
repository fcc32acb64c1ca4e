import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { Answers, AnswersNothing } from '#platform/http/answers';
import { Ctx } from '#platform/http/context';
import { Errors } from '#platform/http/errors';
import { IdParam } from '#platform/http/id-param';
import { toPage } from '#platform/http/page-response';
import { ProjectQuery } from '#platform/http/parent-query';
import { projectScope } from '#platform/http/scopes';
import { Idempotent } from '#platform/idempotency/idempotent';
import { Limit } from '#platform/rate-limit/limits';
import { Access } from '#platform/security/access';
import { Artifact } from './artifact.interceptor';
import { toBuildDraft, toBuildResponse, toDownloadUrlResponse, toUploadedBuildResponse } from './builds.mapper';
import { BuildsService } from './builds.service';
import { DownloadsService } from './downloads.service';
import { LatestBuildQuery, ListBuildsQuery } from './dto/build.queries';
import { CreateBuildRequest, UpdateBuildRequest } from './dto/build.requests';
import { BuildPage, BuildResponse } from './dto/build.response';
import { DownloadUrlResponse } from './dto/download-url.response';
import { UploadedBuildResponse } from './dto/uploaded-build.response';
import { ReceivesArtifact } from './receives-artifact';
import { type StoredArtifact } from './upload';

@ApiTags('Builds')
@Controller('builds')
export class BuildsController {
  constructor(
    private readonly builds: BuildsService,
    private readonly downloads: DownloadsService,
  ) {}

  @Get()
  @Access({ by: ['jwt', 'pat', 'project-token'], scope: 'builds:read', project: 'VIEW_PROJECT' })
  @Limit('read')
  @Answers('List builds, newest first', BuildPage)
  async list(@Ctx() ctx: RequestContext, @Query() query: ListBuildsQuery): Promise<BuildPage> {
    return toPage(await this.builds.page(ctx, projectScope(query), query, query), toBuildResponse);
  }

  @Post()
  @Access({ by: ['jwt', 'pat', 'project-token'], scope: 'builds:upload', project: 'UPLOAD_BUILD', gated: true })
  @Limit('upload')
  @ReceivesArtifact()
  @Answers('Upload a build, and promote it if a channel is named', UploadedBuildResponse, 201)
  async create(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @Body() body: CreateBuildRequest,
    @Artifact() artifact: StoredArtifact,
  ): Promise<UploadedBuildResponse> {
    return toUploadedBuildResponse(await this.builds.create(ctx, projectScope(query), artifact, toBuildDraft(body)));
  }

  @Get('latest')
  @Access({ by: ['jwt', 'pat', 'project-token'], scope: 'builds:read', project: 'VIEW_PROJECT' })
  @Limit('read')
  @Errors('not_found')
  @Answers('Get the newest build, of a platform or of any', BuildResponse)
  async latest(@Ctx() ctx: RequestContext, @Query() query: LatestBuildQuery): Promise<BuildResponse> {
    return toBuildResponse(await this.builds.latest(ctx, projectScope(query), query.platform));
  }

  @Get(':build_id')
  @Access({ by: ['jwt', 'pat', 'project-token'], scope: 'builds:read', project: 'VIEW_PROJECT' })
  @Limit('read')
  @Answers('Get a build', BuildResponse)
  async get(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('build_id') id: string,
  ): Promise<BuildResponse> {
    return toBuildResponse(await this.builds.get(ctx, projectScope(query), id));
  }

  @Patch(':build_id')
  @Access({ by: ['jwt', 'pat', 'project-token'], scope: 'builds:write', project: 'UPLOAD_BUILD' })
  @Limit('write')
  @Idempotent()
  @Answers("Change a build's notes", BuildResponse)
  async update(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('build_id') id: string,
    @Body() body: UpdateBuildRequest,
  ): Promise<BuildResponse> {
    return toBuildResponse(await this.builds.updateNotes(ctx, projectScope(query), id, body.notes));
  }

  @Delete(':build_id')
  @Access({ by: ['jwt', 'pat', 'project-token'], scope: 'builds:write', project: 'MANAGE_RELEASES' })
  @Limit('write')
  @Idempotent()
  @Errors('dependency_exists')
  @AnswersNothing('Delete a build: its link ends at once, its bytes follow')
  delete(@Ctx() ctx: RequestContext, @Query() query: ProjectQuery, @IdParam('build_id') id: string): Promise<void> {
    return this.builds.delete(ctx, projectScope(query), id);
  }

  @Post(':build_id/download-url')
  @Access({ by: ['jwt', 'pat', 'project-token'], scope: 'builds:download', project: 'DOWNLOAD_BUILD', gated: true })
  @Limit('download')
  @Idempotent()
  @Answers('Make a URL that downloads the artifact for half an hour', DownloadUrlResponse)
  async mintDownloadUrl(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('build_id') id: string,
  ): Promise<DownloadUrlResponse> {
    return toDownloadUrlResponse(await this.downloads.mint(ctx, projectScope(query), id));
  }
}
