import { ApiProperty } from '@nestjs/swagger';
import { BooleanField, EnumField, IdField } from '#infra/http/dto/fields';
import { BILLING_MODES, type BillingMode, type Plan, PLANS } from '../plans/plan';
import { AmountField, PeriodField } from './billing.fields';

/** What the meters cost. */
export class PricesResponse {
  @AmountField({ min: 0, example: 100, description: 'For each MB (1000000 bytes) kept for a month.' })
  storage_mb_month_micro_usd: number;

  @AmountField({ min: 0, example: 20, description: 'For each MB uploaded.' })
  upload_mb_micro_usd: number;

  @AmountField({ min: 0, example: 120, description: 'For each MB downloaded.' })
  download_mb_micro_usd: number;
}

export class BillingAccountResponse {
  @IdField()
  organization_id: string;

  @EnumField(PLANS, { name: 'Plan' })
  plan: Plan;

  @EnumField(BILLING_MODES, {
    description: '`prepaid`: out of the balance. `postpaid`: by a statement for each period.',
  })
  mode: BillingMode;

  @AmountField({ min: 0, example: 5_000_000, description: "The plan's flat fee for a period." })
  plan_fee_micro_usd: number;

  @PeriodField()
  period: string;

  @AmountField({ example: 4_998_800, description: 'The sum of the ledger; below zero is owed.' })
  balance_micro_usd: number;

  @AmountField({ min: 0, example: 1_200, description: 'Held for uploads and downloads that are under way.' })
  reserved_micro_usd: number;

  @AmountField({ min: 0, example: 0, description: 'What the usage of this period has cost so far.' })
  spent_micro_usd: number;

  @AmountField({ min: 0, nullable: true, example: null, description: 'On a post-paid plan: null is no cap.' })
  spend_cap_micro_usd: number | null;

  @AmountField({
    min: 0,
    nullable: true,
    example: 4_997_600,
    description: 'What is free to use; null: there is no cap.',
  })
  available_micro_usd: number | null;

  @ApiProperty({ type: 'array', items: { type: 'integer' }, example: [50, 80, 100] })
  budget_alert_percents: number[];

  @BooleanField({ description: 'False while its artifacts go to its own store: its meters rest.' })
  metered: boolean;

  @ApiProperty({ type: PricesResponse })
  prices: PricesResponse;
}
