import { EnumField, IdField, TextField, TimeField } from '#infra/http/dto/fields';
import { PAYMENT_PROVIDERS, type PaymentProviderName, TOP_UP_STATES, type TopUpState } from '../top-ups/top-up';
import { AmountField } from './billing.fields';

export class TopUpResponse {
  @IdField()
  id: string;

  @IdField()
  organization_id: string;

  @AmountField({ min: 1, example: 20_000_000 })
  amount_micro_usd: number;

  @EnumField(PAYMENT_PROVIDERS, { description: '`manual`: an operator approves it.' })
  provider: PaymentProviderName;

  @EnumField(TOP_UP_STATES)
  state: TopUpState;

  @TextField({
    max: 4096,
    nullable: true,
    example: null,
    description: 'Where it is paid; null: nowhere, it waits for an operator.',
  })
  checkout_url: string | null;

  @TimeField()
  created_at: string;

  @TimeField({ nullable: true, example: null })
  paid_at: string | null;
}
