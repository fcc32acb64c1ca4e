import { EnumField, IdField, TextField, TimeField } from '#infra/http/dto/fields';
import { PageOf } from '#infra/http/dto/pagination';
import { LEDGER_KINDS, type LedgerKind } from '../ledger/ledger-entry';
import { type Plan, PLANS } from '../plans/plan';
import { AmountField, PeriodField, QuantityField } from './billing.fields';

export class LedgerEntryResponse {
  @IdField()
  id: string;

  @EnumField(LEDGER_KINDS, { name: 'LedgerKind', example: 'usage_download' })
  kind: LedgerKind;

  @AmountField({ example: -1_200, description: 'Negative for a charge.' })
  amount_micro_usd: number;

  @QuantityField({
    nullable: true,
    description: 'For usage: in MB, or for storage in MB-months. Null for other entries.',
  })
  quantity: number | null;

  @PeriodField()
  period: string;

  @TextField({
    max: 200,
    example: '019a9d5e-7c1a-7b3e-9c55-0c8f4a6b2d10',
    description: 'Identifies the reason of the entry. Unique for each kind.',
  })
  reference: string;

  @TimeField()
  created_at: string;
}

export class LedgerPage extends PageOf(LedgerEntryResponse) {}

export class StatementResponse {
  @IdField()
  id: string;

  @PeriodField()
  period: string;

  @EnumField(PLANS, { name: 'Plan', description: 'The plan at the end of the period.' })
  plan: Plan;

  @AmountField({ example: 5_000_000 })
  opening_balance_micro_usd: number;

  @AmountField({ example: 0, description: 'Top-ups, grants and trial credit.' })
  credits_micro_usd: number;

  @AmountField({ example: 5_000_000 })
  fees_micro_usd: number;

  @AmountField({ example: 2_100 })
  storage_micro_usd: number;

  @AmountField({ example: 400 })
  upload_micro_usd: number;

  @AmountField({ example: 1_200 })
  download_micro_usd: number;

  @AmountField({ example: -3_700 })
  closing_balance_micro_usd: number;

  @QuantityField()
  storage_mb_months: number;

  @QuantityField()
  upload_mb: number;

  @QuantityField()
  download_mb: number;

  @TimeField({ description: 'When the period was closed.' })
  created_at: string;
}

export class StatementPage extends PageOf(StatementResponse) {}
