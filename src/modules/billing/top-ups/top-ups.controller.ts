import { Body, Controller, createParamDecorator, type ExecutionContext, Get, Post, Query } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { PageQuery, toPage } from '#infra/http/dto/pagination';
import { type AppRequest } from '#infra/http/request/app-request';
import { BodyLimit } from '#infra/http/request/body-parsers';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiNoContent, ApiResult, Errors } from '#infra/http/response/api-responses';
import { Idempotent } from '#infra/idempotency/idempotent';
import { Idempotently, type IdempotentWork } from '#infra/idempotency/idempotent-work';
import { Limit } from '#infra/rate-limit/limits';
import { TOP_UPS_DOCS } from '../billing.docs';
import { CreateTopUpRequest, TopUpPage, TopUpResponse } from '../billing.dto';
import { toTopUpResponse } from '../billing.mapper';
import { type PaymentNotification } from './payment-provider';
import { TopUpPaymentsService } from './top-up-payments.service';
import { TopUpsService } from './top-ups.service';

/** Stripe sets the size of an event, but publishes no maximum. */
const MAX_EVENT_BYTES = 256 * 1024;

/** The raw body and the signature of a webhook request. */
const SignedBody = createParamDecorator((_: unknown, execution: ExecutionContext): PaymentNotification => {
  const request = execution.switchToHttp().getRequest<AppRequest>();
  return { body: request.signedBody ?? Buffer.alloc(0), signature: request.get('stripe-signature') ?? '' };
});

@ApiTags('Billing')
@Describe(TOP_UPS_DOCS)
@Controller()
export class TopUpsController {
  constructor(
    private readonly topUps: TopUpsService,
    private readonly payments: TopUpPaymentsService,
  ) {}

  @Post('organizations/:organization_id/billing/top-ups')
  @Access(ACCESS.login({ organization: ['BILLING'] }))
  @Limit('write')
  @Idempotent({ streams: true })
  @Errors('already_exists')
  @ApiResult(
    'Buy credit. The credit is available when the top-up is paid, or when an operator approves it',
    TopUpResponse,
    201,
  )
  async create(
    @IdParam('organization_id') id: string,
    @Body() body: CreateTopUpRequest,
    @Idempotently() { operation, commit }: IdempotentWork,
  ): Promise<TopUpResponse> {
    const order = this.topUps.orderOf(operation, id, BigInt(body.amount_micro_usd));
    const payment = await this.topUps.createPayment(order);
    return commit(async (tx) => toTopUpResponse(await this.topUps.create(tx, order, payment)));
  }

  @Get('organizations/:organization_id/billing/top-ups')
  @Access(ACCESS.developer('billing:read', { organization: ['BILLING'] }))
  @Limit('read')
  @ApiResult('List top-ups, newest first', TopUpPage)
  async list(
    @Ctx() ctx: RequestContext,
    @IdParam('organization_id') id: string,
    @Query() query: PageQuery,
  ): Promise<TopUpPage> {
    return toPage(await this.topUps.list(ctx, id, query), toTopUpResponse);
  }

  @Post('billing/webhooks/stripe')
  @Access({ public: true })
  @Limit('webhook')
  @BodyLimit({ maxBytes: MAX_EVENT_BYTES })
  @Errors('invalid_input', 'not_found')
  @ApiBody({ schema: { type: 'object', additionalProperties: true }, description: 'A Stripe event.' })
  @ApiNoContent('Receive a signed Stripe event')
  notify(@Ctx() ctx: RequestContext, @SignedBody() notification: PaymentNotification): Promise<void> {
    return this.payments.handleNotification(ctx, notification);
  }
}
