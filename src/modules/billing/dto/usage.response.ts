import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IdField } from '#infra/http/dto/fields';
import { AmountField, PeriodField, QuantityField } from './billing.fields';

@ApiSchema({ description: 'The usage of a day (UTC).' })
export class DailyUsageResponse {
  @ApiProperty({ type: 'string', format: 'date', example: '2026-11-20', description: 'The day, in UTC.' })
  day: string;

  @QuantityField({ description: 'What was stored on this day: 1 MB stored for the whole month is 1 in all.' })
  storage_mb_months: number;

  @QuantityField({ description: 'What was uploaded, in MB.' })
  upload_mb: number;

  @QuantityField({ description: 'What was downloaded, in MB.' })
  download_mb: number;
}

@ApiSchema({ description: 'The usage of a month and what it costs, in micro-dollars.' })
export class UsageResponse {
  @IdField({ of: 'organization' })
  organization_id: string;

  @PeriodField()
  period: string;

  @QuantityField({ description: 'Size times duration: 1 MB stored for the whole month is 1.' })
  storage_mb_months: number;

  @QuantityField({ description: 'What was uploaded, in MB.' })
  upload_mb: number;

  @QuantityField({ description: 'What was downloaded, in MB.' })
  download_mb: number;

  @AmountField({ min: 0, example: 1_050, description: 'The cost of storage.' })
  storage_micro_usd: number;

  @AmountField({ min: 0, example: 210, description: 'The cost of uploads.' })
  upload_micro_usd: number;

  @AmountField({ min: 0, example: 1_260, description: 'The cost of downloads.' })
  download_micro_usd: number;

  @AmountField({ min: 0, example: 2_520, description: "The cost of all usage, without the plan's fee." })
  total_micro_usd: number;

  @ApiProperty({ type: [DailyUsageResponse], description: 'The days that have started.' })
  days: DailyUsageResponse[];
}
