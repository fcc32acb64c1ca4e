import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { type RequestContext } from '#kernel/context/request-context';
import { ApiResult } from '#infra/http/response/api-responses';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { sendJsonStream } from '#infra/http/response/stream-response';
import { Limit } from '#infra/rate-limit/limits';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { toDayJson } from './audit-feed.mapper';
import { AuditFeedService } from './audit-feed.service';
import { AuditDayQuery } from '../dto/audit-day.query';
import { AuditDayResponse } from '../dto/audit-day.response';
import { AUDIT_FEED_DOCS } from './audit-feed.docs';

@ApiTags('Audit')
@Describe(AUDIT_FEED_DOCS)
@Controller('audit/organization')
export class AuditFeedController {
  constructor(private readonly feed: AuditFeedService) {}

  @Get(':organization_id')
  @Access(ACCESS.developer('audit:read', { organization: ['AUDITOR'] }))
  @Limit('read')
  @ApiResult('Read a day of the audit feed', AuditDayResponse)
  async day(
    @Ctx() ctx: RequestContext,
    @Res() response: Response,
    @IdParam('organization_id') organizationId: string,
    @Query() { day, type, actor, ip }: AuditDayQuery,
  ): Promise<void> {
    const query = { organizationId, type, actor, sourceIp: ip };
    await sendJsonStream(response, toDayJson(await this.feed.day(ctx, query, day)));
  }
}
