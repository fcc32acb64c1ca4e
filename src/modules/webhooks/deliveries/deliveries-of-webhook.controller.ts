import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { toPage } from '#infra/http/dto/pagination';
import { OrganizationQuery } from '#infra/http/dto/scope-query';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiResult, Errors } from '#infra/http/response/api-responses';
import { Idempotent } from '#infra/idempotency/idempotent';
import { Limit } from '#infra/rate-limit/limits';
import { DELIVERIES_OF_WEBHOOK_DOCS } from '../webhooks.docs';
import { toDeliveryResponse } from '../webhooks.mapper';
import {
  ListDeliveriesQuery,
  TestWebhookRequest,
  WebhookDeliveryPage,
  WebhookDeliveryResponse,
} from './deliveries.dto';
import { DeliveriesService } from './deliveries.service';

const MEMBER = { organization: 'member' } as const;

/** The messages of one webhook. */
@ApiTags('Webhooks')
@Describe(DELIVERIES_OF_WEBHOOK_DOCS)
@Controller('webhooks/:webhook_id')
export class DeliveriesOfWebhookController {
  constructor(private readonly deliveries: DeliveriesService) {}

  @Post('test')
  @Access(ACCESS.developer('projects:write', MEMBER))
  @Limit('webhook-test')
  @Idempotent()
  @Errors('not_found', 'operation_not_allowed')
  @ApiResult('Send a test', WebhookDeliveryResponse, 202)
  async test(
    @Ctx() ctx: RequestContext,
    @Query() query: OrganizationQuery,
    @IdParam('webhook_id') id: string,
    @Body() { type }: TestWebhookRequest,
  ): Promise<WebhookDeliveryResponse> {
    return toDeliveryResponse(await this.deliveries.test(ctx, query.organization_id, id, type));
  }

  @Get('deliveries')
  @Access(ACCESS.developer('projects:read', MEMBER))
  @Limit('read')
  @Errors('not_found')
  @ApiResult('List the deliveries of a webhook, newest first', WebhookDeliveryPage)
  async listDeliveries(
    @Ctx() ctx: RequestContext,
    @Query() query: ListDeliveriesQuery,
    @IdParam('webhook_id') id: string,
  ): Promise<WebhookDeliveryPage> {
    const { organization_id: organizationId, state } = query;
    return toPage(await this.deliveries.list(ctx, organizationId, id, state, query), toDeliveryResponse);
  }
}
