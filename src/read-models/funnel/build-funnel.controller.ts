import { Controller, Get, Query } from '@nestjs/common';
import { ApiSchema, ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { IdField, IntegerField } from '#infra/http/dto/fields';
import { ProjectQuery, projectScope } from '#infra/http/dto/scope-query';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiResult, Errors } from '#infra/http/response/api-responses';
import { HeavyRead } from '#infra/rate-limit/heavy-read';
import { Limit } from '#infra/rate-limit/limits';
import { BUILD_FUNNEL_DOCS } from './build-funnel.docs';
import { BuildFunnelService } from './build-funnel.service';

export class BuildFunnelQuery extends ProjectQuery {
  @IdField({
    of: 'link',
    optional: true,
    description: 'Also counts the downloads through this link of the build or of a channel.',
  })
  link_id?: string;
}

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

  @IntegerField({
    min: 0,
    optional: true,
    example: 7,
    description: 'Downloads of the build through the link `link_id`, of any person. Absent without `link_id`.',
  })
  link_downloads?: number;
}

@ApiTags('Builds')
@Describe(BUILD_FUNNEL_DOCS)
@Controller('builds/:build_id')
export class BuildFunnelController {
  constructor(private readonly funnel: BuildFunnelService) {}

  @Get('funnel')
  @Access(ACCESS.project('VIEW_PROJECT', 'builds:read'))
  @Limit('read')
  @HeavyRead()
  @Errors('not_found')
  @ApiResult('Count the testers who were mailed about a build, opened a link and downloaded it', BuildFunnelResponse)
  async count(
    @Ctx() ctx: RequestContext,
    @Query() query: BuildFunnelQuery,
    @IdParam('build_id') id: string,
  ): Promise<BuildFunnelResponse> {
    const { linkDownloads, ...counts } = await this.funnel.count(ctx, projectScope(query), id, query.link_id ?? null);
    return linkDownloads === null ? counts : { ...counts, link_downloads: linkDownloads };
  }
}
