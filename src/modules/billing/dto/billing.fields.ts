import { ApiProperty } from '@nestjs/swagger';
import { IntegerField, TextField } from '#infra/http/dto/fields';

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
export const QuantityField = (
  options: { readonly nullable?: boolean; readonly example?: number; readonly description?: string } = {},
): PropertyDecorator => ApiProperty({ type: 'number', minimum: 0, example: 10.5, ...options });

export const PeriodField = (): PropertyDecorator =>
  TextField({ min: 7, max: 7, example: '2026-11', description: 'A calendar month, UTC.' });
