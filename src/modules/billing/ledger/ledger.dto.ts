import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EXAMPLE } from '#infra/http/dto/example';
import { EnumField, IdField, IntegerField, TextField, TimeField } from '#infra/http/dto/fields';
import { PageOf } from '#infra/http/dto/pagination';
import { type Plan, PLANS } from '../plans/plan';
import { LEDGER_KINDS, type LedgerKind } from './ledger-entry';

interface AmountOptions {
  readonly min?: number;
  readonly max?: number;
  readonly nullable?: boolean;
  readonly example: number | null;
  readonly description?: string;
}

/** A sum in micro-dollars: a whole number that is exact as a JSON number. */
export const AmountField = ({
  min = -Number.MAX_SAFE_INTEGER,
  max = Number.MAX_SAFE_INTEGER,
  ...options
}: AmountOptions): PropertyDecorator => IntegerField({ ...options, min, max });

/** A metered quantity in MB (1000000 bytes), or for storage in MB-months. */
const QuantityField = (
  options: { readonly nullable?: boolean; readonly example?: number; readonly description?: string } = {},
): PropertyDecorator => ApiProperty({ type: 'number', minimum: 0, example: 10.5, ...options });

export const PeriodField = (): PropertyDecorator =>
  TextField({ min: 7, max: 7, example: '2026-11', description: 'A calendar month, UTC.' });

@ApiSchema({ description: 'A credit or charge. The sum of all entries is the balance.' })
export class LedgerEntryResponse {
  @IdField({ of: 'ledger entry' })
  id: string;

  @EnumField(LEDGER_KINDS, { name: 'LedgerKind', example: 'usage_download', description: 'The reason of the entry.' })
  kind: LedgerKind;

  @AmountField({ example: -2_894, description: 'In micro-dollars. Negative for a charge.' })
  amount_micro_usd: number;

  @QuantityField({
    nullable: true,
    example: 24.117248,
    description: 'For usage: in MB, or for storage in MB-months. `null` for other entries.',
  })
  quantity: number | null;

  @PeriodField()
  period: string;

  @TextField({
    max: 200,
    example: EXAMPLE.ids.download,
    description: 'Identifies the reason of the entry. Unique for each kind.',
  })
  reference: string;

  @TimeField({ example: '2026-11-20T18:09:31.027Z', description: 'When the entry was booked.' })
  created_at: string;
}

export class LedgerPage extends PageOf(LedgerEntryResponse) {}

@ApiSchema({
  description: 'The account of a closed month. Amounts are in micro-dollars; charges are shown as positive amounts.',
})
export class StatementResponse {
  @IdField({ of: 'statement' })
  id: string;

  @PeriodField()
  period: string;

  @EnumField(PLANS, { name: 'Plan', description: 'The plan at the end of the period.', example: 'business' })
  plan: Plan;

  @AmountField({ description: 'The balance at the start of the month.', example: 0 })
  opening_balance_micro_usd: number;

  @AmountField({ example: 20_000_000, description: 'Top-ups, grants and trial credit.' })
  credits_micro_usd: number;

  @AmountField({ description: 'The fees of the plan.', example: 100_000_000 })
  fees_micro_usd: number;

  @AmountField({ example: 2_100, description: 'The cost of storage.' })
  storage_micro_usd: number;

  @AmountField({ example: 400, description: 'The cost of uploads.' })
  upload_micro_usd: number;

  @AmountField({ example: 1_200, description: 'The cost of downloads.' })
  download_micro_usd: number;

  @AmountField({
    description: 'The balance at the end of the month: the balance at its start, plus credits, minus fees and usage.',
    example: -80_003_700,
  })
  closing_balance_micro_usd: number;

  @QuantityField({ description: 'Storage in MB-months: 1 MB stored for the whole month is 1.', example: 21 })
  storage_mb_months: number;

  @QuantityField({ description: 'Uploads, in MB.', example: 20 })
  upload_mb: number;

  @QuantityField({ description: 'Downloads, in MB.', example: 10 })
  download_mb: number;

  @TimeField({ example: '2026-12-01T00:00:04.512Z', description: 'When the period was closed.' })
  created_at: string;
}

export class StatementPage extends PageOf(StatementResponse) {}

@ApiSchema({ description: 'The usage of a day (UTC).' })
export class DailyUsageResponse {
  @ApiProperty({ type: 'string', format: 'date', example: '2026-11-20', description: 'The day, in UTC.' })
  day: string;

  @QuantityField({
    description:
      'Storage on this day in MB-months: the days of a month add up to 1 for 1 MB that is stored all the time.',
  })
  storage_mb_months: number;

  @QuantityField({ description: 'Uploads, in MB.' })
  upload_mb: number;

  @QuantityField({ description: 'Downloads, in MB.' })
  download_mb: number;
}

@ApiSchema({ description: 'The usage of a month and its cost, in micro-dollars.' })
export class UsageResponse {
  @IdField({ of: 'organization' })
  organization_id: string;

  @PeriodField()
  period: string;

  @QuantityField({ description: 'Size times duration: 1 MB stored for the whole month is 1.' })
  storage_mb_months: number;

  @QuantityField({ description: 'Uploads, in MB.' })
  upload_mb: number;

  @QuantityField({ description: 'Downloads, in MB.' })
  download_mb: number;

  @AmountField({ min: 0, example: 1_050, description: 'The cost of storage.' })
  storage_micro_usd: number;

  @AmountField({ min: 0, example: 210, description: 'The cost of uploads.' })
  upload_micro_usd: number;

  @AmountField({ min: 0, example: 1_260, description: 'The cost of downloads.' })
  download_micro_usd: number;

  @AmountField({ min: 0, example: 2_520, description: "The cost of all usage, without the plan's fee." })
  total_micro_usd: number;

  @IntegerField({
    min: 0,
    example: 50_331_648,
    description:
      'Bytes of open uploads that are stored at this moment, whichever month is asked for. They are part of the storage until their upload is completed, dropped or expired, and counted within five minutes of their arrival.',
  })
  open_upload_bytes: number;

  @ApiProperty({ type: [DailyUsageResponse], description: 'The days that have started.' })
  days: DailyUsageResponse[];
}
