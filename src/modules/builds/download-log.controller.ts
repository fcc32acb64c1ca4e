import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { type RequestContext } from '#kernel/context/request-context';
import { Answers, AnswersFile } from '#platform/http/answers';
import { Ctx } from '#platform/http/context';
import { Errors } from '#platform/http/errors';
import { IdParam } from '#platform/http/id-param';
import { toPage } from '#platform/http/page-response';
import { ProjectPageQuery, ProjectQuery } from '#platform/http/parent-query';
import { projectScope } from '#platform/http/scopes';
import { sendCsv } from '#platform/http/send-csv';
import { Limit } from '#platform/rate-limit/limits';
import { Access } from '#platform/security/access';
import { BUILD_DOWNLOAD_COLUMNS, toBuildDownloadResponse, toBuildDownloadRow } from './build-downloads.mapper';
import { DownloadLogService } from './download-log.service';
import { BuildDownloadPage } from './dto/build-download.response';

/** The download log of a build. It tells what persons did, so it is for those who manage testers; anyone sees the counts. */
@ApiTags('Builds')
@Controller('builds/:build_id')
export class DownloadLogController {
  constructor(private readonly log: DownloadLogService) {}

  @Get('downloads')
  @Access({ by: ['jwt', 'pat', 'project-token'], scope: 'testers:read', project: 'MANAGE_TESTERS' })
  @Limit('read')
  @Errors('not_found')
  @Answers('List the downloads of a build, newest first', BuildDownloadPage)
  async list(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectPageQuery,
    @IdParam('build_id') id: string,
  ): Promise<BuildDownloadPage> {
    return toPage(await this.log.page(ctx, projectScope(query), id, query), toBuildDownloadResponse);
  }

  @Get('downloads.csv')
  @Access({ by: ['jwt', 'pat', 'project-token'], scope: 'testers:read', project: 'MANAGE_TESTERS' })
  @Limit('read')
  @Errors('not_found')
  @AnswersFile('Export the downloads of a build, newest first', 'text/csv')
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
