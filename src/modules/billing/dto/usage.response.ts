import { ApiProperty } from '@nestjs/swagger';
import { IdField } from '#infra/http/dto/fields';
import { AmountField, PeriodField, QuantityField } from './billing.fields';

export class DailyUsageResponse {
  @ApiProperty({ type: 'string', format: 'date', example: '2026-11-20' })
  day: string;

  @QuantityField()
  storage_mb_months: number;

  @QuantityField()
  upload_mb: number;

  @QuantityField()
  download_mb: number;
}

export class UsageResponse {
  @IdField()
  organization_id: string;

  @PeriodField()
  period: string;

  @QuantityField({ description: 'Size times duration: 1 MB stored for the whole month is 1.' })
  storage_mb_months: number;

  @QuantityField()
  upload_mb: number;

  @QuantityField()
  download_mb: number;

  @AmountField({ min: 0, example: 1_050 })
  storage_micro_usd: number;

  @AmountField({ min: 0, example: 210 })
  upload_micro_usd: number;

  @AmountField({ min: 0, example: 1_260 })
  download_micro_usd: number;

  @AmountField({ min: 0, example: 2_520, description: "Without the plan's fee." })
  total_micro_usd: number;

  @ApiProperty({ type: [DailyUsageResponse], description: 'The days that have started.' })
  days: DailyUsageResponse[];
}
