import { ApiProperty } from '@nestjs/swagger';
import { BooleanField, EmailField, EnumField, IdField, TextField, TimeField } from '#infra/http/dto/fields';
import { PageOf } from '#infra/http/dto/pagination';
import { SUBSCRIPTION_STATES, type SubscriptionState } from '../tester';

export class SubscriptionResponse {
  @IdField()
  channel_id: string;

  @EnumField(SUBSCRIPTION_STATES, {
    name: 'SubscriptionState',
    description: '`suppressed`: the tester unsubscribed. Only they can resubscribe.',
  })
  state: SubscriptionState;
}

export class TesterResponse {
  @IdField()
  id: string;

  @IdField()
  organization_id: string;

  @IdField()
  project_id: string;

  @EmailField({ example: 'tess@example.com' })
  email: string;

  @TextField({ max: 100, nullable: true, example: 'Tess' })
  name: string | null;

  @BooleanField({ example: false, description: 'Whether the tester chose to stop testing the project.' })
  declined: boolean;

  @ApiProperty({ type: [SubscriptionResponse] })
  subscriptions: SubscriptionResponse[];

  @TimeField()
  created_at: string;
}

export class TesterPage extends PageOf(TesterResponse) {}
