import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsArray, IsInt, IsOptional, Matches, Max, Min, ValidateIf } from 'class-validator';
import { DistinctItems, EnumField, IntegerField } from '#infra/http/dto/fields';
import { ANNOUNCED_PLANS, type AnnouncedPlan } from '../plans/plan';
import { MAX_TOP_UP_MICRO_USD } from '../top-ups/top-up';
import { AmountField } from './billing.fields';

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
