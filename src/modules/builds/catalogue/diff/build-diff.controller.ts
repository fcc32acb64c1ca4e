import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { projectScope } from '#infra/http/dto/scope-query';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiResult, Errors } from '#infra/http/response/api-responses';
import { Limit } from '#infra/rate-limit/limits';
import { BUILD_DIFF_DOCS } from '../../builds.docs';
import { BuildsService } from '../builds.service';
import { BuildComparisonQuery, BuildDiffQuery, BuildDiffResponse, toBuildDiffResponse } from './build-diff.dto';

@ApiTags('Builds')
@Describe(BUILD_DIFF_DOCS)
@Controller('builds/:build_id')
export class BuildDiffController {
  constructor(private readonly builds: BuildsService) {}

  @Get('compare')
  @Access(ACCESS.project('VIEW_PROJECT', 'builds:read'))
  @Limit('read')
  @Errors('not_found')
  @ApiResult('Compare a build with another one', BuildDiffResponse)
  async compareWith(
    @Ctx() ctx: RequestContext,
    @Query() query: BuildComparisonQuery,
    @IdParam('build_id') id: string,
  ): Promise<BuildDiffResponse> {
    return toBuildDiffResponse(id, query.with, await this.builds.compare(ctx, projectScope(query), id, query.with));
  }

  @Get('diff')
  @Access(ACCESS.project('VIEW_PROJECT', 'builds:read'))
  @Limit('read')
  @Errors('not_found')
  @ApiResult('Compare a build with another one, by the first name of this operation', BuildDiffResponse)
  async compare(
    @Ctx() ctx: RequestContext,
    @Query() query: BuildDiffQuery,
    @IdParam('build_id') id: string,
  ): Promise<BuildDiffResponse> {
    return toBuildDiffResponse(
      id,
      query.against,
      await this.builds.compare(ctx, projectScope(query), id, query.against),
    );
  }
}
