import { Body, Controller, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { projectScope } from '#infra/http/dto/scope-query';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiResult, Errors } from '#infra/http/response/api-responses';
import { Idempotent } from '#infra/idempotency/idempotent';
import { Limit } from '#infra/rate-limit/limits';
import { RELEASE_REMINDERS_DOCS } from '../releases.docs';
import { RemindersResponse, RemindQuery, RemindRequest, toRemindersResponse } from './release-reminders.dto';
import { ReleaseRemindersService } from './release-reminders.service';

@ApiTags('Releases')
@Describe(RELEASE_REMINDERS_DOCS)
@Controller('releases/:release_id/reminders')
export class ReleaseRemindersController {
  constructor(private readonly reminders: ReleaseRemindersService) {}

  @Post()
  @Access(ACCESS.project('MANAGE_TESTERS', 'testers:write'))
  @Limit('tester-mail')
  @Idempotent()
  @Errors('not_found', 'not_current')
  @ApiResult('Remind testers who do not have the build of a current release', RemindersResponse, 202)
  async remind(
    @Ctx() ctx: RequestContext,
    @Query() query: RemindQuery,
    @IdParam('release_id') id: string,
    @Body() { tester_ids: testerIds }: RemindRequest,
  ): Promise<RemindersResponse> {
    const which = { id, channelId: query.channel_id ?? null };
    return toRemindersResponse(await this.reminders.remind(ctx, projectScope(query), which, testerIds ?? null));
  }
}
