import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiFile, ApiResult } from '#infra/http/response/api-responses';
import { sendCsv, sendJsonStream } from '#infra/http/response/stream-response';
import { Heavy } from '#infra/rate-limit/heavy';
import { AuditFacetsResponse } from '../facets/audit-facets.dto';
import { AuditFacetsService } from '../facets/audit-facets.service';
import { AUDIT_FEED_DOCS } from './audit-feed.docs';
import { AuditDayQuery, AuditDayResponse, AuditFacetsQuery, AuditRangeQuery } from './audit-feed.dto';
import { AUDIT_EVENT_COLUMNS, toDayJson, toEventRow, toFacetsResponse } from './audit-feed.mapper';
import { AuditFeedService } from './audit-feed.service';
import { dayOf, type FeedQuery } from './recorded-event';

@ApiTags('Audit')
@Describe(AUDIT_FEED_DOCS)
@Controller('audit/organization')
export class AuditFeedController {
  constructor(
    private readonly feed: AuditFeedService,
    private readonly facetCounts: AuditFacetsService,
  ) {}

  @Get(':organization_id')
  @Access(ACCESS.developer('audit:read', { organization: ['AUDITOR'] }))
  @Heavy()
  @ApiResult('Read a day of the audit feed', AuditDayResponse)
  async day(
    @Ctx() ctx: RequestContext,
    @Res() response: Response,
    @IdParam('organization_id') organizationId: string,
    @Query() query: AuditDayQuery,
  ): Promise<void> {
    await sendJsonStream(response, toDayJson(await this.feed.day(ctx, filterOf(organizationId, query), query)));
  }

  @Get(':organization_id/export.csv')
  @Access(ACCESS.developer('audit:read', { organization: ['AUDITOR'] }))
  @Heavy()
  @ApiFile('Export a day or range of the audit feed, newest first', 'text/csv')
  async export(
    @Ctx() ctx: RequestContext,
    @Res() response: Response,
    @IdParam('organization_id') organizationId: string,
    @Query() query: AuditRangeQuery,
  ): Promise<void> {
    const rows = this.feed.events(ctx, filterOf(organizationId, query), query);
    const file = { fileName: fileNameOf(query, ctx.clock.now()), columns: AUDIT_EVENT_COLUMNS, rows };
    await sendCsv(response, file, toEventRow);
  }

  @Get(':organization_id/facets')
  @Access(ACCESS.developer('audit:read', { organization: ['AUDITOR'] }))
  @Heavy()
  @ApiResult('Count the types, actors and days of the audit feed', AuditFacetsResponse)
  async facets(
    @Ctx() ctx: RequestContext,
    @IdParam('organization_id') organizationId: string,
    @Query() query: AuditFacetsQuery,
  ): Promise<AuditFacetsResponse> {
    const filter = { organizationId, projectId: query.project_id };
    return toFacetsResponse(await this.facetCounts.count(ctx, filter, query));
  }
}

const filterOf = (organizationId: string, { type, actor, ip, project_id }: AuditRangeQuery): FeedQuery => ({
  organizationId,
  type,
  actor,
  sourceIp: ip,
  projectId: project_id,
});

/** `audit-2026-11-20.csv`, or with both days of a range. */
function fileNameOf({ day, from, to }: AuditRangeQuery, now: Date): string {
  const days = from === undefined && to === undefined ? [day ?? dayOf(now)] : [from, to ?? dayOf(now)];
  return `${['audit', ...days.map((each) => each?.slice(0, 10))].filter(Boolean).join('-')}.csv`;
}
