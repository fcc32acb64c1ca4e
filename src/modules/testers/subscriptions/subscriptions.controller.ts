import { Controller, Delete, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { ProjectQuery, projectScope } from '#infra/http/dto/scope-query';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiNoContent, ApiResult, Errors } from '#infra/http/response/api-responses';
import { Idempotent } from '#infra/idempotency/idempotent';
import { Limit } from '#infra/rate-limit/limits';
import { SUBSCRIPTIONS_DOCS } from '../testers.docs';
import { SubscriptionResponse } from '../testers.dto';
import { SubscriptionsService } from './subscriptions.service';

/** Subscribes testers on their behalf. Testers themselves use their links. */
@ApiTags('Testers')
@Describe(SUBSCRIPTIONS_DOCS)
@Controller('testers/:tester_id/subscriptions/:channel_id')
export class SubscriptionsController {
  constructor(private readonly subscriptions: SubscriptionsService) {}

  @Put()
  @Access(ACCESS.project('MANAGE_TESTERS', 'testers:write'))
  @Limit('write')
  @Idempotent()
  @Errors('not_found')
  @ApiResult('Subscribe a tester to a channel, unless they unsubscribed from it', SubscriptionResponse)
  async put(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('tester_id') testerId: string,
    @IdParam('channel_id') channelId: string,
  ): Promise<SubscriptionResponse> {
    const state = await this.subscriptions.put(ctx, projectScope(query), testerId, channelId);
    return { channel_id: channelId, state };
  }

  @Delete()
  @Access(ACCESS.project('MANAGE_TESTERS', 'testers:write'))
  @Limit('write')
  @Idempotent()
  @Errors('not_found')
  @ApiNoContent("End a tester's subscription to a channel")
  remove(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('tester_id') testerId: string,
    @IdParam('channel_id') channelId: string,
  ): Promise<void> {
    return this.subscriptions.remove(ctx, projectScope(query), testerId, channelId);
  }
}
