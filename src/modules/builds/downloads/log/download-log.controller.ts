import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { toPage } from '#infra/http/dto/pagination';
import { ProjectPageQuery, ProjectQuery, projectScope } from '#infra/http/dto/scope-query';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiFile, ApiResult, Errors } from '#infra/http/response/api-responses';
import { sendCsv } from '#infra/http/response/stream-response';
import { Heavy } from '#infra/rate-limit/heavy';
import { Limit } from '#infra/rate-limit/limits';
import { DOWNLOAD_LOG_DOCS } from '../../builds.docs';
import {
  BUILD_DOWNLOAD_COLUMNS,
  BuildDownloadPage,
  toBuildDownloadResponse,
  toBuildDownloadRow,
} from './download-log.dto';
import { DownloadLogService } from './download-log.service';

/** The download log of a build. It shows what testers did, so it requires MANAGE_TESTERS; the counts are part of the build. */
@ApiTags('Builds')
@Describe(DOWNLOAD_LOG_DOCS)
@Controller('builds/:build_id')
export class DownloadLogController {
  constructor(private readonly log: DownloadLogService) {}

  @Get('downloads')
  @Access(ACCESS.project('MANAGE_TESTERS', 'testers:read'))
  @Limit('read')
  @Errors('not_found')
  @ApiResult('List the downloads of a build, newest first', BuildDownloadPage)
  async list(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectPageQuery,
    @IdParam('build_id') id: string,
  ): Promise<BuildDownloadPage> {
    return toPage(await this.log.list(ctx, projectScope(query), id, query), toBuildDownloadResponse);
  }

  @Get('downloads.csv')
  @Access(ACCESS.project('MANAGE_TESTERS', 'testers:read'))
  @Heavy()
  @Errors('not_found')
  @ApiFile('Export the downloads of a build, newest first', 'text/csv')
  async export(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('build_id') id: string,
    @Res() response: Response,
  ): Promise<void> {
    const rows = this.log.all(ctx, projectScope(query), id);
    await sendCsv(
      response,
      { fileName: `downloads-${id}.csv`, columns: BUILD_DOWNLOAD_COLUMNS, rows },
      toBuildDownloadRow,
    );
  }
}
