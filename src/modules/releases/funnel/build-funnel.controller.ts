import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { ProjectQuery, projectScope } from '#infra/http/dto/scope-query';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiResult, Errors } from '#infra/http/response/api-responses';
import { Limit } from '#infra/rate-limit/limits';
import { BUILD_FUNNEL_DOCS } from '../releases.docs';
import { BuildFunnelResponse } from './build-funnel.dto';
import { BuildFunnelService } from './build-funnel.service';

@ApiTags('Builds')
@Describe(BUILD_FUNNEL_DOCS)
@Controller('builds/:build_id')
export class BuildFunnelController {
  constructor(private readonly funnel: BuildFunnelService) {}

  @Get('funnel')
  @Access(ACCESS.project('VIEW_PROJECT', 'builds:read'))
  @Limit('read')
  @Errors('not_found')
  @ApiResult('Count the testers who were mailed about a build, opened a link and downloaded it', BuildFunnelResponse)
  count(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('build_id') id: string,
  ): Promise<BuildFunnelResponse> {
    return this.funnel.count(ctx, projectScope(query), id);
  }
}
