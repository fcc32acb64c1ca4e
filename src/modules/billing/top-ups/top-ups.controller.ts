import { Body, Controller, createParamDecorator, type ExecutionContext, Post } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { type AppRequest } from '#infra/http/request/app-request';
import { ApiResult, ApiNoContent } from '#infra/http/response/api-responses';
import { Ctx } from '#infra/http/request/context';
import { Errors } from '#infra/http/response/api-errors';
import { IdParam } from '#infra/http/request/id-param';
import { type IdempotentWork, Idempotently } from '#infra/idempotency/effect';
import { Idempotent } from '#infra/idempotency/idempotent';
import { Limit } from '#infra/rate-limit/limits';
import { ACCESS, Access } from '#infra/http/access';
import { toTopUpResponse } from '../billing.mapper';
import { CreateTopUpRequest } from '../dto/top-up.requests';
import { TopUpResponse } from '../dto/top-up.response';
import { type Notification } from './payment-provider';
import { TopUpPayments } from './top-up-payments';
import { TopUpsService } from './top-ups.service';

/** The request as a payment provider has signed it. */
const Signed = createParamDecorator((_: unknown, execution: ExecutionContext): Notification => {
  const request = execution.switchToHttp().getRequest<AppRequest>();
  return { body: request.signedBody ?? Buffer.alloc(0), signature: request.get('stripe-signature') ?? '' };
});

@ApiTags('Billing')
@Controller()
export class TopUpsController {
  constructor(
    private readonly topUps: TopUpsService,
    private readonly payments: TopUpPayments,
  ) {}

  @Post('organizations/:organization_id/billing/top-ups')
  @Access(ACCESS.login({ organization: ['BILLING'] }))
  @Limit('write')
  @Idempotent({ streams: true })
  @ApiResult('Ask for credit: it is there once it is paid, or once an operator approves it', TopUpResponse, 201)
  async create(
    @IdParam('organization_id') id: string,
    @Body() body: CreateTopUpRequest,
    @Idempotently() { operation, make }: IdempotentWork,
  ): Promise<TopUpResponse> {
    const order = { operation, organizationId: id, amountMicroUsd: BigInt(body.amount_micro_usd) };
    const payment = await this.topUps.begin(order);
    return make(async (tx) => toTopUpResponse(await this.topUps.keep(tx, order, payment)));
  }

  @Post('billing/webhooks/stripe')
  @Access({ public: true })
  @Limit('webhook')
  @Errors('invalid_input', 'not_found')
  @ApiBody({ schema: { type: 'object', additionalProperties: true }, description: 'An event of Stripe, signed by it.' })
  @ApiNoContent('Hear from Stripe what has been paid')
  notify(@Ctx() ctx: RequestContext, @Signed() notification: Notification): Promise<void> {
    return this.payments.notify(ctx, notification);
  }
}
