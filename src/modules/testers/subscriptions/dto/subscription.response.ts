import { EnumField, IdField } from '#infra/http/dto/fields';
import { SUBSCRIPTION_STATES, type SubscriptionState } from '../../tester';

export class SubscriptionResponse {
  @IdField()
  channel_id: string;

  @EnumField(SUBSCRIPTION_STATES, {
    name: 'SubscriptionState',
    description: '`suppressed`: they left by themself, and only they can come back.',
  })
  state: SubscriptionState;
}
