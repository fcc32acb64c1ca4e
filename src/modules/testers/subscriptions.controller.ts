import { Controller, Delete, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { Answers, AnswersNothing } from '#platform/http/answers';
import { Ctx } from '#platform/http/context';
import { Errors } from '#platform/http/errors';
import { IdParam } from '#platform/http/id-param';
import { ProjectQuery } from '#platform/http/parent-query';
import { projectScope } from '#platform/http/scopes';
import { Idempotent } from '#platform/idempotency/idempotent';
import { Limit } from '#platform/rate-limit/limits';
import { Access } from '#platform/security/access';
import { SubscriptionResponse } from './dto/subscription.response';
import { SubscriptionsService } from './subscriptions.service';

/** Subscriptions on a tester's behalf; their own wishes come by their links. */
@ApiTags('Testers')
@Controller('testers/:tester_id/subscriptions/:channel_id')
export class SubscriptionsController {
  constructor(private readonly subscriptions: SubscriptionsService) {}

  @Put()
  @Access({ by: ['jwt', 'pat', 'project-token'], scope: 'testers:write', project: 'MANAGE_TESTERS' })
  @Limit('write')
  @Idempotent()
  @Errors('not_found')
  @Answers('Subscribe a tester to a channel, unless they left it by themself', SubscriptionResponse)
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
  @Access({ by: ['jwt', 'pat', 'project-token'], scope: 'testers:write', project: 'MANAGE_TESTERS' })
  @Limit('write')
  @Idempotent()
  @Errors('not_found')
  @AnswersNothing("End a tester's subscription to a channel")
  remove(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('tester_id') testerId: string,
    @IdParam('channel_id') channelId: string,
  ): Promise<void> {
    return this.subscriptions.remove(ctx, projectScope(query), testerId, channelId);
  }
}
