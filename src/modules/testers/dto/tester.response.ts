import { ApiProperty } from '@nestjs/swagger';
import { BooleanField, EmailField, IdField, TextField, TimeField } from '#infra/http/dto/fields';
import { PageOf } from '#infra/http/dto/pagination';
import { SubscriptionResponse } from '../subscriptions/dto/subscription.response';

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

  @BooleanField({ example: false, description: 'They left the testing of the project altogether, by themself.' })
  declined: boolean;

  @ApiProperty({ type: [SubscriptionResponse] })
  subscriptions: SubscriptionResponse[];

  @TimeField()
  created_at: string;
}

export class TesterPage extends PageOf(TesterResponse) {}
