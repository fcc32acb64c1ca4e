import { PAT_SCOPES, type PatScope } from '#kernel/access/roles';
import { EnumSetField, IdField, TextField, TimeField } from '#infra/http/dto/fields';
import { PageOf } from '#infra/http/dto/pagination';

export class CreatePersonalAccessTokenRequest {
  @TextField({ max: 100, example: 'Release script' })
  name: string;

  @EnumSetField(PAT_SCOPES, {
    description: 'What the token may do. It can never do more than your roles allow.',
    example: ['builds:read'],
  })
  scopes: PatScope[];

  @TimeField({
    optional: true,
    nullable: true,
    description: 'Absent or null: the token is valid until it is revoked.',
    example: '2027-11-20T00:00:00.000Z',
  })
  expires_at?: string | null;
}

export class PersonalAccessTokenResponse {
  @IdField()
  id: string;

  @IdField()
  organization_id: string;

  @IdField({ description: 'The owner.' })
  developer_id: string;

  @TextField({ max: 100, example: 'Release script' })
  name: string;

  @EnumSetField(PAT_SCOPES, { example: ['builds:read'] })
  scopes: PatScope[];

  @TextField({ max: 4, description: 'The last characters of the token, to recognize it by.', example: 'x7Qa' })
  last4: string;

  @TimeField()
  created_at: string;

  @TimeField({ nullable: true })
  expires_at: string | null;

  @TimeField({ nullable: true, description: 'Exact to a minute.' })
  last_used_at: string | null;
}

export class NewPersonalAccessTokenResponse extends PersonalAccessTokenResponse {
  @TextField({ max: 60, description: 'Shown only in this response.', example: 'ag_pat_…' })
  token: string;
}

export class PatPage extends PageOf(PersonalAccessTokenResponse) {}
