import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsArray, IsInt, IsOptional, Matches, Max, Min, ValidateIf } from 'class-validator';
import {
  BooleanField,
  DistinctItems,
  EnumField,
  IdField,
  IntegerField,
  TextField,
  TimeField,
} from '#infra/http/dto/fields';
import { PageOf } from '#infra/http/dto/pagination';
import { AmountField, LedgerPage, PeriodField, StatementPage } from './ledger/ledger.dto';
import {
  ANNOUNCED_PLANS,
  type AnnouncedPlan,
  BILLING_MODES,
  type BillingMode,
  type Plan,
  PLAN_FEATURE_NAMES,
  type PlanFeature,
  PLANS,
} from './plans/plan';
import {
  MAX_TOP_UP_MICRO_USD,
  PAYMENT_PROVIDERS,
  type PaymentProviderName,
  TOP_UP_STATES,
  type TopUpState,
} from './top-ups/top-up';

@ApiSchema({ description: 'The plan to switch to.' })
export class ChangePlanRequest {
  @EnumField(ANNOUNCED_PLANS, {
    example: 'business',
    description: 'The plan to switch to. `enterprise` is announced, but not available.',
  })
  plan: AnnouncedPlan;
}

@ApiSchema({ description: 'Changes of the billing settings. Absent fields stay as they are.' })
export class UpdateBillingRequest {
  @IntegerField({
    optional: true,
    nullable: true,
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    example: 50_000_000,
    description:
      'The limit for usage in a month on a postpaid plan, in micro-dollars. `null` removes the cap, if the service allows it. Not allowed on a prepaid plan.',
  })
  spend_cap_micro_usd?: number | null;

  @ApiProperty({
    type: 'array',
    items: { type: 'integer', minimum: 1, maximum: 100 },
    uniqueItems: true,
    maxItems: 10,
    required: false,
    example: [50, 80, 90, 100],
    description:
      'Percentages of the budget at which members with the BILLING or ADMIN role receive a mail. An empty list turns the mails off.',
  })
  @ValidateIf((_, value) => value !== undefined)
  @IsArray()
  @DistinctItems(10)
  @IsInt({ each: true })
  @Min(1, { each: true })
  @Max(100, { each: true })
  budget_alert_percents?: number[];
}

export class BillingQuery {
  @EnumField(['lists'], {
    optional: true,
    description: '`lists` adds the first pages of top-ups, ledger and statements.',
  })
  include?: 'lists';
}

export class UsageQuery {
  @ApiPropertyOptional({
    type: 'string',
    pattern: '^[0-9]{4}-(0[1-9]|1[0-2])$',
    example: '2026-11',
    description: 'A calendar month, UTC. Default: the current month.',
  })
  @IsOptional()
  @Matches(/^[0-9]{4}-(0[1-9]|1[0-2])$/, { message: 'period must be a month: YYYY-MM' })
  period?: string;
}

@ApiSchema({ description: 'Credit to buy.' })
export class CreateTopUpRequest {
  @AmountField({
    min: 1,
    max: MAX_TOP_UP_MICRO_USD,
    example: 20_000_000,
    description: 'The credit, in micro-dollars: 20000000 is 20 USD.',
  })
  amount_micro_usd: number;
}

@ApiSchema({ description: 'The prices of the meters, in micro-dollars.' })
export class PricesResponse {
  @AmountField({ min: 0, example: 100, description: 'Per MB (1000000 bytes) stored for a month.' })
  storage_mb_month_micro_usd: number;

  @AmountField({ min: 0, example: 20, description: 'Per MB uploaded.' })
  upload_mb_micro_usd: number;

  @AmountField({ min: 0, example: 120, description: 'Per MB downloaded.' })
  download_mb_micro_usd: number;
}

@ApiSchema({ description: 'A plan that an organization can choose.' })
export class PlanOfferResponse {
  @EnumField(PLANS, { name: 'Plan', example: 'business', description: 'The plan.' })
  plan: Plan;

  @EnumField(BILLING_MODES, {
    description: '`prepaid`: paid from the balance. `postpaid`: paid by a statement for each month.',
    example: 'postpaid',
  })
  mode: BillingMode;

  @AmountField({
    min: 0,
    description: 'The flat fee for a month, in micro-dollars. 0 while `billing` is `off`.',
    example: 100_000_000,
  })
  fee_micro_usd: number;

  @AmountField({
    min: 0,
    nullable: true,
    description: 'The spending cap that an organization gets with the plan. `null` when there is none.',
    example: 100_000_000,
  })
  first_spend_cap_micro_usd: number | null;

  @ApiProperty({
    type: 'array',
    items: { type: 'string', enum: [...PLAN_FEATURE_NAMES] },
    example: ['channels', 'own_storage'],
    description:
      'The features of this plan that not every plan includes. `channels`: channels and releases. `own_storage`: artifacts in a storage account of the organization. While `billing` is `off`, all plans include all of them.',
  })
  features: PlanFeature[];
}

@ApiSchema({ description: 'A purchase of credit.' })
export class TopUpResponse {
  @IdField({ of: 'top-up' })
  id: string;

  @IdField({ of: 'organization' })
  organization_id: string;

  @AmountField({ min: 1, example: 20_000_000, description: 'The credit, in micro-dollars.' })
  amount_micro_usd: number;

  @EnumField(PAYMENT_PROVIDERS, { description: 'How it is paid. `manual`: an operator approves the top-up.' })
  provider: PaymentProviderName;

  @EnumField(TOP_UP_STATES, { description: '`pending`: it is not paid yet. `paid`: the credit is on the balance.' })
  state: TopUpState;

  @TextField({
    max: 4096,
    nullable: true,
    example: null,
    description: 'The payment page. `null` when an operator approves the top-up.',
  })
  checkout_url: string | null;

  @TimeField({ example: '2026-11-05T14:00:08.190Z', description: 'When the top-up was requested.' })
  created_at: string;

  @TimeField({ nullable: true, example: null, description: 'When it was paid. `null` while it is pending.' })
  paid_at: string | null;
}

export class TopUpPage extends PageOf(TopUpResponse) {}

@ApiSchema({ description: 'The first pages of the lists of billing, of up to 50 items each.' })
export class BillingListsResponse {
  @ApiProperty({ type: TopUpPage, description: 'As `GET /organizations/{organization_id}/billing/top-ups`.' })
  top_ups: TopUpPage;

  @ApiProperty({ type: LedgerPage, description: 'As `GET /organizations/{organization_id}/billing/ledger`.' })
  ledger: LedgerPage;

  @ApiProperty({ type: StatementPage, description: 'As `GET /organizations/{organization_id}/billing/statements`.' })
  statements: StatementPage;
}

@ApiSchema({ description: 'The billing account of an organization. Amounts are in micro-dollars.' })
export class BillingAccountResponse {
  @IdField({ of: 'organization' })
  organization_id: string;

  @EnumField(PLANS, { name: 'Plan', example: 'business', description: 'The plan that the organization is on.' })
  plan: Plan;

  @EnumField(BILLING_MODES, {
    description: '`prepaid`: paid from the balance. `postpaid`: paid by a statement for each period.',
    example: 'postpaid',
  })
  mode: BillingMode;

  @AmountField({ min: 0, description: "The plan's flat fee for a period.", example: 100_000_000 })
  plan_fee_micro_usd: number;

  @AmountField({
    min: 0,
    description:
      'The fee that is charged at `next_fee_at` if the plan stays: of the month that begins then on a prepaid plan, of the part of the month that ends then on a postpaid one.',
    example: 36_666_667,
  })
  next_fee_micro_usd: number;

  @TimeField({
    example: '2026-12-01T00:00:00.000Z',
    description: 'When the next fee is charged: the end of the month.',
  })
  next_fee_at: string;

  @PeriodField()
  period: string;

  @AmountField({ description: 'The sum of the ledger. A negative balance is owed.', example: 19_997_480 })
  balance_micro_usd: number;

  @AmountField({ min: 0, description: 'Reserved for uploads and downloads in progress.', example: 2_894 })
  reserved_micro_usd: number;

  @AmountField({ min: 0, description: 'The cost of the usage in this period so far.', example: 2_520 })
  spent_micro_usd: number;

  @AmountField({
    min: 0,
    nullable: true,
    description: 'The limit for usage in a month on a postpaid plan. `null` when there is no cap.',
    example: 50_000_000,
  })
  spend_cap_micro_usd: number | null;

  @AmountField({
    min: 0,
    nullable: true,
    description:
      'The available amount: the cap or the balance, minus spending and open reservations. `null` when nothing limits it.',
    example: 49_994_586,
  })
  available_micro_usd: number | null;

  @ApiProperty({
    type: 'array',
    items: { type: 'integer' },
    example: [50, 80, 90, 100],
    description: 'Percentages of the budget at which members with the role BILLING or ADMIN are mailed.',
  })
  budget_alert_percents: number[];

  @BooleanField({
    description: 'Whether usage is charged. False while artifacts are stored in a storage account of the organization.',
  })
  metered: boolean;

  @ApiProperty({ type: PricesResponse, description: 'The prices of usage.' })
  prices: PricesResponse;

  @ApiProperty({
    type: BillingListsResponse,
    required: false,
    description: 'The newest top-ups, ledger entries and statements. Present with `include=lists`.',
  })
  lists?: BillingListsResponse;
}
