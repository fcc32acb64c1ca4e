import { Controller, Get, Query } from '@nestjs/common';
import { ApiSchema, ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { IntegerField } from '#infra/http/dto/fields';
import { ProjectQuery, projectScope } from '#infra/http/dto/scope-query';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiResult, Errors } from '#infra/http/response/api-responses';
import { Limit } from '#infra/rate-limit/limits';
import { BUILD_FUNNEL_DOCS } from './build-funnel.docs';
import { BuildFunnelService } from './build-funnel.service';

@ApiSchema({
  description:
    'The number of testers at each step from the mail about a build to its download, and the number of apps that run it.',
})
export class BuildFunnelResponse {
  @IntegerField({
    min: 0,
    example: 34,
    description: 'Testers who were mailed about a release of the build, or invited to it.',
  })
  mailed: number;

  @IntegerField({
    min: 0,
    example: 15,
    description: 'Testers in `mailed` who opened a link since, or downloaded the build.',
  })
  opened: number;

  @IntegerField({
    min: 0,
    example: 9,
    description: 'Testers in `mailed` who downloaded the build through a link of theirs.',
  })
  downloaded: number;

  @IntegerField({
    min: 0,
    example: 12,
    description:
      'Installations of the app that reported to run the build when they checked for updates, each once. They are anonymous, and include people who were not mailed.',
  })
  running: number;
}

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
