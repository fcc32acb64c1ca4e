import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiResult, Errors } from '#infra/http/response/api-responses';
import { HeavyRead } from '#infra/rate-limit/heavy-read';
import { Limit } from '#infra/rate-limit/limits';
import { DAILY_DOWNLOADS_DOCS } from '../../builds.docs';
import { DailyDownloadsQuery, DailyDownloadsResponse, toDailyDownloadsResponse } from './daily-downloads.dto';
import { DailyDownloadsService } from './daily-downloads.service';

@ApiTags('Projects')
@Describe(DAILY_DOWNLOADS_DOCS)
@Controller('projects/:project_id/downloads')
export class DailyDownloadsController {
  constructor(private readonly daily: DailyDownloadsService) {}

  @Get('daily')
  @Access(ACCESS.project('VIEW_PROJECT', 'builds:read'))
  @Limit('read')
  @HeavyRead()
  @Errors('invalid_input')
  @ApiResult('Count the downloads of a project by day', DailyDownloadsResponse)
  async count(
    @Ctx() ctx: RequestContext,
    @Query() query: DailyDownloadsQuery,
    @IdParam('project_id') projectId: string,
  ): Promise<DailyDownloadsResponse> {
    const { organization_id: organizationId, from, to, build_id: buildId, channel_id: channelId } = query;
    const scope = { organizationId, projectId };
    return toDailyDownloadsResponse(await this.daily.count(ctx, scope, { from, to }, { buildId, channelId }));
  }
}
