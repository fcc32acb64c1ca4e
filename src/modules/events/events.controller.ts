import { Controller, createParamDecorator, type ExecutionContext, Get, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { type AppRequest } from '#infra/http/request/app-request';
import { Ctx } from '#infra/http/request/context';
import { ApiEventStream } from '#infra/http/response/api-responses';
import { widerNetwork } from '#infra/network/client-network';
import { Limit } from '#infra/rate-limit/limits';
import { credentialExpiry } from '#modules/auth';
import { EVENTS_DOCS } from './events.docs';
import { EventResponse, EventsQuery } from './events.dto';
import { EventStreams } from './streams/event-streams';

/** Parameter decorator: the data that the request's guards have read. */
const Execution = createParamDecorator((_: unknown, execution: ExecutionContext) => execution);

@ApiTags('Events')
@Describe(EVENTS_DOCS)
@Controller('events')
export class EventsController {
  constructor(private readonly streams: EventStreams) {}

  @Get()
  @Access(ACCESS.developer('organization:read', { organization: 'member' }))
  @Limit('events')
  @ApiEventStream('Receive the changes in an organization as they happen', EventResponse)
  async stream(
    @Ctx() ctx: RequestContext,
    @Execution() execution: ExecutionContext,
    @Req() request: AppRequest,
    @Res() response: Response,
    @Query() query: EventsQuery,
  ): Promise<void> {
    const { organization_id: organizationId, recent_seconds: recentSeconds = 0 } = query;
    const lastEventId = request.get('last-event-id');
    const network = widerNetwork(ctx.sourceIp);
    await this.streams.open(
      ctx,
      { organizationId, execution, expiresAt: credentialExpiry(request), lastEventId, recentSeconds, network },
      response,
    );
  }
}
