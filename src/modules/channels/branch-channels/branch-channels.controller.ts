import { Body, Controller, HttpCode, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { ProjectQuery, projectScope } from '#infra/http/dto/scope-query';
import { Ctx } from '#infra/http/request/context';
import { ApiResult } from '#infra/http/response/api-responses';
import { Idempotent } from '#infra/idempotency/idempotent';
import { Limit } from '#infra/rate-limit/limits';
import { BRANCH_CHANNELS_DOCS } from '../channels.docs';
import { CloseBranchRequest, ClosedBranchResponse } from './branch-channels.dto';
import { BranchChannelsService } from './branch-channels.service';

@ApiTags('Channels')
@Describe(BRANCH_CHANNELS_DOCS)
@Controller('channels/close-branch')
export class BranchChannelsController {
  constructor(private readonly channels: BranchChannelsService) {}

  @Post()
  @HttpCode(200)
  @Access(ACCESS.project('MANAGE_RELEASES', 'channels:write'))
  @Limit('write')
  @Idempotent()
  @ApiResult('Close the channel of a branch, with its releases and subscriptions', ClosedBranchResponse)
  async close(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @Body() { branch }: CloseBranchRequest,
  ): Promise<ClosedBranchResponse> {
    const channelId = await this.channels.close(ctx, projectScope(query), branch);
    return { closed: channelId !== null, channel_id: channelId };
  }
}
