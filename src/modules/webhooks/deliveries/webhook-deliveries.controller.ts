import { Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { OrganizationQuery } from '#infra/http/dto/scope-query';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiResult, Errors } from '#infra/http/response/api-responses';
import { Idempotent } from '#infra/idempotency/idempotent';
import { Limit } from '#infra/rate-limit/limits';
import { WEBHOOK_DELIVERIES_DOCS } from '../webhooks.docs';
import { toDeliveryDetailResponse, toDeliveryResponse } from '../webhooks.mapper';
import { WebhookDeliveryDetailResponse, WebhookDeliveryResponse } from './deliveries.dto';
import { DeliveriesService } from './deliveries.service';

@ApiTags('Webhooks')
@Describe(WEBHOOK_DELIVERIES_DOCS)
@Controller('webhook-deliveries')
export class WebhookDeliveriesController {
  constructor(private readonly deliveries: DeliveriesService) {}

  @Get(':webhook_delivery_id')
  @Access(ACCESS.developer('projects:read', { organization: 'member' }))
  @Limit('read')
  @Errors('not_found')
  @ApiResult('Get a delivery with its body and the response', WebhookDeliveryDetailResponse)
  async get(
    @Ctx() ctx: RequestContext,
    @Query() query: OrganizationQuery,
    @IdParam('webhook_delivery_id') id: string,
  ): Promise<WebhookDeliveryDetailResponse> {
    return toDeliveryDetailResponse(await this.deliveries.get(ctx, query.organization_id, id));
  }

  @Post(':webhook_delivery_id/redeliver')
  @Access(ACCESS.developer('projects:write', { organization: 'member' }))
  @Limit('write')
  @Idempotent()
  @Errors('not_found', 'operation_not_allowed')
  @ApiResult('Send a message again', WebhookDeliveryResponse, 202)
  async redeliver(
    @Ctx() ctx: RequestContext,
    @Query() query: OrganizationQuery,
    @IdParam('webhook_delivery_id') id: string,
  ): Promise<WebhookDeliveryResponse> {
    return toDeliveryResponse(await this.deliveries.redeliver(ctx, query.organization_id, id));
  }
}
