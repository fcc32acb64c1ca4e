import { Body, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { PageQuery, toPage } from '#infra/http/dto/pagination';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiResult, Errors } from '#infra/http/response/api-responses';
import { Idempotent } from '#infra/idempotency/idempotent';
import { HeavyRead } from '#infra/rate-limit/heavy-read';
import { Limit } from '#infra/rate-limit/limits';
import { BillingAccountsService, type BillingAccountView } from './accounts/billing-accounts.service';
import { BILLING_DOCS } from './billing.docs';
import {
  BillingAccountResponse,
  BillingListsResponse,
  BillingQuery,
  ChangePlanRequest,
  UpdateBillingRequest,
  UsageQuery,
} from './billing.dto';
import {
  toAccountResponse,
  toLedgerEntryResponse,
  toStatementResponse,
  toTopUpResponse,
  toUsageResponse,
} from './billing.mapper';
import { LedgerPage, StatementPage, UsageResponse } from './ledger/ledger.dto';
import { LedgerService } from './ledger/ledger.service';
import { PlansService } from './plans/plans.service';
import { PricesService } from './plans/prices.service';
import { TopUpsService } from './top-ups/top-ups.service';
import { PeriodsService } from './usage/periods.service';
import { UsageService } from './usage/usage.service';

/** The items of each list that the account includes on request. */
const LISTED = 50;

@ApiTags('Billing')
@Describe(BILLING_DOCS)
@Controller('organizations/:organization_id')
export class BillingController {
  constructor(
    private readonly accounts: BillingAccountsService,
    private readonly plans: PlansService,
    private readonly usageService: UsageService,
    private readonly ledgerService: LedgerService,
    private readonly periods: PeriodsService,
    private readonly prices: PricesService,
    private readonly topUps: TopUpsService,
  ) {}

  @Get('billing')
  @Access(ACCESS.developer('billing:read', { organization: ['BILLING'] }))
  @Limit('read')
  @ApiResult(
    'Get the billing account: plan, balance, spend cap, reserved and available amounts',
    BillingAccountResponse,
  )
  async get(
    @Ctx() ctx: RequestContext,
    @IdParam('organization_id') id: string,
    @Query() { include }: BillingQuery,
  ): Promise<BillingAccountResponse> {
    const account = this.toResponse(await this.accounts.view(ctx, id));
    return include === 'lists' ? { ...account, lists: await this.lists(ctx, id) } : account;
  }

  @Patch('billing')
  @Access(ACCESS.login({ organization: ['BILLING'] }))
  @Limit('write')
  @Idempotent()
  @Errors('operation_not_allowed')
  @ApiResult('Change the spend cap and the budget alerts', BillingAccountResponse)
  async update(
    @Ctx() ctx: RequestContext,
    @IdParam('organization_id') id: string,
    @Body() body: UpdateBillingRequest,
  ): Promise<BillingAccountResponse> {
    const { spend_cap_micro_usd: cap, budget_alert_percents: budgetAlertPercents } = body;
    const spendCapMicroUsd = typeof cap === 'number' ? BigInt(cap) : cap;
    return this.toResponse(await this.accounts.update(ctx, id, { spendCapMicroUsd, budgetAlertPercents }));
  }

  @Post('plan')
  @Access(ACCESS.login({ organization: ['BILLING'] }))
  @Limit('write')
  @Idempotent()
  @Errors('dependency_exists', 'operation_not_allowed')
  @ApiResult('Change the plan', BillingAccountResponse)
  async changePlan(
    @Ctx() ctx: RequestContext,
    @IdParam('organization_id') id: string,
    @Body() { plan }: ChangePlanRequest,
  ): Promise<BillingAccountResponse> {
    await this.plans.change(ctx, id, plan);
    return this.toResponse(await this.accounts.view(ctx, id));
  }

  @Get('usage')
  @Access(ACCESS.developer('billing:read', { organization: ['BILLING'] }))
  @Limit('read')
  @HeavyRead()
  @ApiResult('Get the usage of a month, day by day', UsageResponse)
  async usage(
    @Ctx() ctx: RequestContext,
    @IdParam('organization_id') id: string,
    @Query() { period }: UsageQuery,
  ): Promise<UsageResponse> {
    return toUsageResponse(await this.usageService.get(ctx, id, period));
  }

  @Get('billing/ledger')
  @Access(ACCESS.developer('billing:read', { organization: ['BILLING'] }))
  @Limit('read')
  @ApiResult('List credits and charges, newest first', LedgerPage)
  async ledger(
    @Ctx() ctx: RequestContext,
    @IdParam('organization_id') id: string,
    @Query() query: PageQuery,
  ): Promise<LedgerPage> {
    return toPage(await this.ledgerService.list(ctx, id, query), toLedgerEntryResponse);
  }

  @Get('billing/statements')
  @Access(ACCESS.developer('billing:read', { organization: ['BILLING'] }))
  @Limit('read')
  @ApiResult('List the statements of closed months, newest first', StatementPage)
  async statements(
    @Ctx() ctx: RequestContext,
    @IdParam('organization_id') id: string,
    @Query() query: PageQuery,
  ): Promise<StatementPage> {
    return toPage(await this.periods.listStatements(ctx, id, query), toStatementResponse);
  }

  private async lists(ctx: RequestContext, id: string): Promise<BillingListsResponse> {
    const first = { limit: LISTED };
    return {
      top_ups: toPage(await this.topUps.list(ctx, id, first), toTopUpResponse),
      ledger: toPage(await this.ledgerService.list(ctx, id, first), toLedgerEntryResponse),
      statements: toPage(await this.periods.listStatements(ctx, id, first), toStatementResponse),
    };
  }

  private toResponse(account: BillingAccountView): BillingAccountResponse {
    return toAccountResponse(account, this.prices.all);
  }
}
