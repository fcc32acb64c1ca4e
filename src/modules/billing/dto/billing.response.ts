import { ApiProperty } from '@nestjs/swagger';
import { BooleanField, EnumField, IdField, TextField, TimeField } from '#infra/http/dto/fields';
import { BILLING_MODES, type BillingMode, type Plan, PLANS } from '../plans/plan';
import { PAYMENT_PROVIDERS, type PaymentProviderName, TOP_UP_STATES, type TopUpState } from '../top-ups/top-up';
import { AmountField, PeriodField } from './billing.fields';

/** The prices of the meters. */
export class PricesResponse {
  @AmountField({ min: 0, example: 100, description: 'Per MB (1000000 bytes) stored for a month.' })
  storage_mb_month_micro_usd: number;

  @AmountField({ min: 0, example: 20, description: 'Per MB uploaded.' })
  upload_mb_micro_usd: number;

  @AmountField({ min: 0, example: 120, description: 'Per MB downloaded.' })
  download_mb_micro_usd: number;
}

export class BillingAccountResponse {
  @IdField()
  organization_id: string;

  @EnumField(PLANS, { name: 'Plan' })
  plan: Plan;

  @EnumField(BILLING_MODES, {
    description: '`prepaid`: paid from the balance. `postpaid`: paid by a statement for each period.',
  })
  mode: BillingMode;

  @AmountField({ min: 0, example: 5_000_000, description: "The plan's flat fee for a period." })
  plan_fee_micro_usd: number;

  @PeriodField()
  period: string;

  @AmountField({ example: 4_998_800, description: 'The sum of the ledger. A negative balance is owed.' })
  balance_micro_usd: number;

  @AmountField({ min: 0, example: 1_200, description: 'Reserved for uploads and downloads in progress.' })
  reserved_micro_usd: number;

  @AmountField({ min: 0, example: 0, description: 'The cost of the usage in this period so far.' })
  spent_micro_usd: number;

  @AmountField({ min: 0, nullable: true, example: null, description: 'On a postpaid plan. Null when there is no cap.' })
  spend_cap_micro_usd: number | null;

  @AmountField({
    min: 0,
    nullable: true,
    example: 4_997_600,
    description: 'What can still be used. Null when there is no cap.',
  })
  available_micro_usd: number | null;

  @ApiProperty({ type: 'array', items: { type: 'integer' }, example: [50, 80, 90, 100] })
  budget_alert_percents: number[];

  @BooleanField({ description: 'False while artifacts are stored in a storage account of the organization.' })
  metered: boolean;

  @ApiProperty({ type: PricesResponse })
  prices: PricesResponse;
}

export class TopUpResponse {
  @IdField()
  id: string;

  @IdField()
  organization_id: string;

  @AmountField({ min: 1, example: 20_000_000 })
  amount_micro_usd: number;

  @EnumField(PAYMENT_PROVIDERS, { description: '`manual`: an operator approves the top-up.' })
  provider: PaymentProviderName;

  @EnumField(TOP_UP_STATES)
  state: TopUpState;

  @TextField({
    max: 4096,
    nullable: true,
    example: null,
    description: 'The payment page. Null when an operator approves the top-up.',
  })
  checkout_url: string | null;

  @TimeField()
  created_at: string;

  @TimeField({ nullable: true, example: null })
  paid_at: string | null;
}
