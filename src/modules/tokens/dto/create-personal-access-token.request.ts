import { PAT_SCOPES, type PatScope } from '#kernel/access/roles';
import { EnumSetField, TextField, TimeField } from '#infra/http/dto/fields';

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
