import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { BooleanField, EmailField, EnumField, IdField, TextField, TimeField } from '#infra/http/dto/fields';
import { PageOf } from '#infra/http/dto/pagination';
import { SUBSCRIPTION_STATES, type SubscriptionState } from '../tester';

@ApiSchema({ description: 'The relation of a tester to a channel.' })
export class SubscriptionResponse {
  @IdField({ of: 'channel' })
  channel_id: string;

  @EnumField(SUBSCRIPTION_STATES, {
    name: 'SubscriptionState',
    description: '`suppressed`: the tester unsubscribed. Only they can resubscribe.',
  })
  state: SubscriptionState;
}

@ApiSchema({ description: 'A person who installs builds of a project without an account.' })
export class TesterResponse {
  @IdField({ of: 'tester' })
  id: string;

  @IdField({ of: 'organization' })
  organization_id: string;

  @IdField({ of: 'project' })
  project_id: string;

  @EmailField({ example: 'tess@example.com', description: 'The address that mails are sent to, as it was entered.' })
  email: string;

  @TextField({
    max: 100,
    nullable: true,
    example: 'Tess',
    description: 'The name of the tester. `null` when none was given.',
  })
  name: string | null;

  @BooleanField({ example: false, description: 'Whether the tester chose to stop testing the project.' })
  declined: boolean;

  @ApiProperty({
    type: [SubscriptionResponse],
    description: 'The channels that the tester is subscribed to, or unsubscribed from.',
  })
  subscriptions: SubscriptionResponse[];

  @TimeField({ example: '2026-11-03T10:11:26.733Z', description: 'When the tester was added.' })
  created_at: string;
}

export class TesterPage extends PageOf(TesterResponse) {}
