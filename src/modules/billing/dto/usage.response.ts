import { ApiProperty } from '@nestjs/swagger';
import { IdField } from '#infra/http/dto/fields';
import { AmountField, PeriodField } from './billing.fields';

/** A metered quantity, in MB (1000000 bytes). */
export const QuantityField = (
  options: { readonly nullable?: boolean; readonly description?: string } = {},
): PropertyDecorator => ApiProperty({ type: 'number', minimum: 0, example: 10.5, ...options });

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

  @QuantityField({ description: 'What was kept, times how long: an MB kept for the whole month is one.' })
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

  @AmountField({ min: 0, example: 2_520, description: 'Without the fee of the plan.' })
  total_micro_usd: number;

  @ApiProperty({ type: [DailyUsageResponse], description: 'The days that have begun.' })
  days: DailyUsageResponse[];
}
