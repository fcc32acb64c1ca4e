import { Body, Controller, Get, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { projectScope } from '#infra/http/dto/scope-query';
import { AcceptsCsv, BodyLimit, CsvBody } from '#infra/http/request/body-parsers';
import { Ctx } from '#infra/http/request/context';
import { ApiFile, ApiResult, Errors } from '#infra/http/response/api-responses';
import { sendCsv } from '#infra/http/response/stream-response';
import { Idempotent } from '#infra/idempotency/idempotent';
import { Heavy } from '#infra/rate-limit/heavy';
import { Limit } from '#infra/rate-limit/limits';
import { ExportTestersQuery, toAdoptionOf, toTesterFilter } from '../activity/tester-filter.dto';
import { type TesterDraft } from '../tester';
import { TESTER_FILES_DOCS } from '../testers.docs';
import { TesterExportService } from './tester-export.service';
import { ImportedTestersResponse, ImportQuery, MAX_BATCH, TesterBatchRequest } from './tester-import.dto';
import { toImportedTestersResponse } from './tester-import.mapper';
import { TesterImportsService } from './tester-imports.service';
import { testerColumns, toTesterRow } from './tester-rows';
import { parseTestersCsv } from './testers-csv';

/** Maximum size of a batch in bytes: room for the maximum number of testers. */
const MAX_BATCH_BYTES = 1024 * 1024;

/** Maximum size of a file in bytes: room for an export of the maximum number of testers, with all its columns. */
const MAX_IMPORT_BYTES = 4 * 1024 * 1024;

/** Imports and exports testers. */
@ApiTags('Testers')
@Describe(TESTER_FILES_DOCS)
@Controller('testers')
export class TesterFilesController {
  constructor(
    private readonly exports: TesterExportService,
    private readonly imports: TesterImportsService,
  ) {}

  @Post('batch')
  @Access(ACCESS.project('MANAGE_TESTERS', 'testers:write'))
  @Limit('write')
  @BodyLimit({ maxBytes: MAX_BATCH_BYTES, maxItems: MAX_BATCH })
  @Idempotent()
  @Errors('not_found', 'quota_exceeded')
  @ApiResult('Add up to 1000 testers: all that are new, or none', ImportedTestersResponse)
  async batch(
    @Ctx() ctx: RequestContext,
    @Query() query: ImportQuery,
    @Body() body: TesterBatchRequest,
  ): Promise<ImportedTestersResponse> {
    const drafts = body.testers.map(({ email, name }) => ({ email, name: name ?? null }));
    return this.add(ctx, query, drafts);
  }

  @Post('import')
  @Access(ACCESS.project('MANAGE_TESTERS', 'testers:write'))
  @Limit('write')
  @BodyLimit({ maxBytes: MAX_IMPORT_BYTES })
  @Idempotent()
  @Errors('not_found', 'quota_exceeded')
  @AcceptsCsv('email,name\r\ntess@example.com,Tess\r\n')
  @ApiResult('Add the testers of a CSV file: all that are new, or none', ImportedTestersResponse)
  async import(
    @Ctx() ctx: RequestContext,
    @Query() query: ImportQuery,
    @CsvBody() text: string,
  ): Promise<ImportedTestersResponse> {
    return this.add(ctx, query, parseTestersCsv(text));
  }

  @Get('export')
  @Access(ACCESS.project('MANAGE_TESTERS', 'testers:read'))
  @Heavy()
  @Errors('not_found')
  @ApiFile('Get all testers, or those that meet the filters, as a CSV file', 'text/csv')
  async export(
    @Ctx() ctx: RequestContext,
    @Query() query: ExportTestersQuery,
    @Res() response: Response,
  ): Promise<void> {
    const of = toAdoptionOf(query);
    const rows = this.exports.all(ctx, projectScope(query), toTesterFilter(query), of);
    await sendCsv(response, { fileName: 'testers.csv', columns: testerColumns(of !== null), rows }, toTesterRow);
  }

  private async add(
    ctx: RequestContext,
    query: ImportQuery,
    drafts: readonly TesterDraft[],
  ): Promise<ImportedTestersResponse> {
    const options = { channelId: query.channel_id ?? null, dryRun: query.dry_run ?? false };
    return toImportedTestersResponse(await this.imports.import(ctx, projectScope(query), drafts, options));
  }
}
