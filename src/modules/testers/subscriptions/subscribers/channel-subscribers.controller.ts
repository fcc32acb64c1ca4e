import { Body, Controller, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { ProjectQuery, projectScope } from '#infra/http/dto/scope-query';
import { BodyLimit } from '#infra/http/request/body-parsers';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiResult, Errors } from '#infra/http/response/api-responses';
import { Idempotent } from '#infra/idempotency/idempotent';
import { Limit } from '#infra/rate-limit/limits';
import { CHANNEL_SUBSCRIBERS_DOCS } from '../../testers.docs';
import { ChangedSubscribersResponse, ChangeSubscribersRequest, toSubscribersChange } from './channel-subscribers.dto';
import { ChannelSubscribersService } from './channel-subscribers.service';

/** Room for two lists of a thousand ids. */
const MAX_BODY_BYTES = 128 * 1024;

@ApiTags('Testers')
@Describe(CHANNEL_SUBSCRIBERS_DOCS)
@Controller('channels/:channel_id/subscribers')
export class ChannelSubscribersController {
  constructor(private readonly subscribers: ChannelSubscribersService) {}

  @Put()
  @Access(ACCESS.project('MANAGE_TESTERS', 'testers:write'))
  @Limit('write')
  @BodyLimit({ maxBytes: MAX_BODY_BYTES })
  @Idempotent()
  @Errors('not_found', 'invalid_input')
  @ApiResult('Subscribe and unsubscribe many testers of a channel', ChangedSubscribersResponse)
  async change(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('channel_id') channelId: string,
    @Body() body: ChangeSubscribersRequest,
  ): Promise<ChangedSubscribersResponse> {
    const changed = await this.subscribers.change(ctx, projectScope(query), channelId, toSubscribersChange(body));
    return { ...changed, testers: changed.testers.map(({ id, outcome }) => ({ id, outcome })) };
  }
}
