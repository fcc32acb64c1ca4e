import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { type RequestContext } from '#kernel/context/request-context';
import { Answers } from '#platform/http/answers';
import { Ctx } from '#platform/http/context';
import { IdParam } from '#platform/http/id-param';
import { sendJsonStream } from '#platform/http/send-json-stream';
import { Limit } from '#platform/rate-limit/limits';
import { Access } from '#platform/security/access';
import { toDayJson } from './audit-feed.mapper';
import { AuditFeedService } from './audit-feed.service';
import { AuditDayQuery } from './dto/audit-day.query';
import { AuditDayResponse } from './dto/audit-day.response';

@ApiTags('Audit')
@Controller('audit/organization')
export class AuditFeedController {
  constructor(private readonly feed: AuditFeedService) {}

  @Get(':organization_id')
  @Access({ by: ['jwt', 'pat'], scope: 'audit:read', organization: ['AUDITOR'] })
  @Limit('read')
  @Answers('Read a day of the audit feed', AuditDayResponse)
  async day(
    @Ctx() ctx: RequestContext,
    @Res() response: Response,
    @IdParam('organization_id') organizationId: string,
    @Query() { day, type, actor, ip }: AuditDayQuery,
  ): Promise<void> {
    const filter = { organizationId, type, actorId: actor, sourceIp: ip };
    await sendJsonStream(response, toDayJson(await this.feed.day(ctx, filter, day)));
  }
}
