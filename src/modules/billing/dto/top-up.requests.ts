import { MAX_TOP_UP_MICRO_USD } from '../top-ups/top-up';
import { AmountField } from './billing.fields';

export class CreateTopUpRequest {
  @AmountField({
    min: 1,
    max: MAX_TOP_UP_MICRO_USD,
    example: 20_000_000,
    description: 'In micro-dollars: 20000000 are 20 USD.',
  })
  amount_micro_usd: number;
}
