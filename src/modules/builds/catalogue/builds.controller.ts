import { Body, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { ProjectQuery, projectScope } from '#infra/http/dto/scope-query';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiResult, Errors } from '#infra/http/response/api-responses';
import { type JsonText, toJsonPage } from '#infra/http/response/json-text';
import { Idempotent } from '#infra/idempotency/idempotent';
import { Heavy } from '#infra/rate-limit/heavy';
import { PossiblyHeavyRead } from '#infra/rate-limit/heavy-read';
import { Limit } from '#infra/rate-limit/limits';
import { BUILDS_DOCS } from '../builds.docs';
import { DownloadTicketsService } from '../downloads/download-tickets.service';
import { DownloadUrlResponse } from '../downloads/downloads.dto';
import {
  toBuildFilter,
  toBuildResponse,
  toDownloadUrlResponse,
  toFacetsResponse,
  toLatestFilter,
} from './builds.mapper';
import { BuildsService } from './builds.service';
import { LatestBuildQuery, ListBuildsQuery, UpdateBuildRequest } from './dto/build.requests';
import { BuildPage, BuildResponse } from './dto/build.response';
import { BuildFacetsResponse } from './dto/build-facets.response';
import { BuildListService } from './list/build-list.service';
import { BuildViews } from './views/build-views';

@ApiTags('Builds')
@Describe(BUILDS_DOCS)
@Controller('builds')
export class BuildsController {
  constructor(
    private readonly builds: BuildsService,
    private readonly lists: BuildListService,
    private readonly views: BuildViews,
    private readonly tickets: DownloadTicketsService,
  ) {}

  @Get()
  @Access(ACCESS.project('VIEW_PROJECT', 'builds:read'))
  @Limit('read')
  @PossiblyHeavyRead()
  @ApiResult('List builds, newest first', BuildPage)
  async list(@Ctx() ctx: RequestContext, @Query() query: ListBuildsQuery): Promise<JsonText> {
    return toJsonPage(await this.views.page(ctx, projectScope(query), toBuildFilter(query), query));
  }

  @Get('facets')
  @Access(ACCESS.project('VIEW_PROJECT', 'builds:read'))
  @Heavy()
  @ApiResult('List the platforms, versions and branches of the builds', BuildFacetsResponse)
  async facets(@Ctx() ctx: RequestContext, @Query() query: ProjectQuery): Promise<BuildFacetsResponse> {
    return toFacetsResponse(await this.lists.facets(ctx, projectScope(query)));
  }

  @Get('latest')
  @Access(ACCESS.project('VIEW_PROJECT', 'builds:read'))
  @Limit('read')
  @Errors('not_found')
  @ApiResult('Get the newest build, or the current build of a channel', BuildResponse)
  async latest(@Ctx() ctx: RequestContext, @Query() query: LatestBuildQuery): Promise<BuildResponse> {
    const scope = projectScope(query);
    const { id } = await this.lists.latest(ctx, scope, toLatestFilter(query));
    return toBuildResponse(ctx, await this.views.get(ctx, scope, id));
  }

  @Get(':build_id')
  @Access(ACCESS.project('VIEW_PROJECT', 'builds:read'))
  @Limit('read')
  @ApiResult('Get a build', BuildResponse)
  async get(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('build_id') id: string,
  ): Promise<BuildResponse> {
    return toBuildResponse(ctx, await this.views.get(ctx, projectScope(query), id));
  }

  @Patch(':build_id')
  @Access(ACCESS.project('UPLOAD_BUILD', 'builds:write'))
  @Limit('write')
  @Idempotent()
  @ApiResult("Change a build's notes, or pin it", BuildResponse)
  async update(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('build_id') id: string,
    @Body() body: UpdateBuildRequest,
  ): Promise<BuildResponse> {
    return toBuildResponse(ctx, await this.builds.update(ctx, projectScope(query), id, body));
  }

  @Post(':build_id/rotate-link')
  @Access(ACCESS.project('MANAGE_RELEASES', 'builds:write'))
  @Limit('write')
  @Idempotent()
  @ApiResult('Replace the install link of a build; the old link stops working immediately', BuildResponse)
  async rotateLink(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('build_id') id: string,
  ): Promise<BuildResponse> {
    return toBuildResponse(ctx, await this.builds.rotateLink(ctx, projectScope(query), id));
  }

  @Post(':build_id/download-url')
  @Access(ACCESS.project('DOWNLOAD_BUILD', 'builds:download', { gated: true }))
  @Limit('download')
  @Idempotent()
  @ApiResult('Make a URL that downloads the artifact for half an hour', DownloadUrlResponse)
  async mintDownloadUrl(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('build_id') id: string,
  ): Promise<DownloadUrlResponse> {
    return toDownloadUrlResponse(await this.tickets.mint(ctx, projectScope(query), id));
  }
}
