import { ApiSchema } from '@nestjs/swagger';
import { PAT_SCOPES, type PatScope } from '#kernel/access/roles';
import { EnumSetField, IdField, TextField, TimeField } from '#infra/http/dto/fields';
import { PageOf } from '#infra/http/dto/pagination';
import { TokenField } from '../lifetime/token-fields';

@ApiSchema({ description: 'A new personal access token.' })
export class CreatePersonalAccessTokenRequest {
  @TextField({ max: 100, example: 'Release script', description: 'Your name for the token, to recognize it by.' })
  name: string;

  @EnumSetField(PAT_SCOPES, {
    description: 'The permissions of the token. It can never do more than your roles allow.',
    example: ['builds:read'],
  })
  scopes: PatScope[];

  @TokenField.newExpiry()
  expires_at?: string | null;
}

@ApiSchema({ description: 'A personal access token to revoke.' })
export class RevokeValueRequest {
  @TextField({ max: 100, example: 'ag_pat_…', description: 'The value of the token.' })
  token: string;
}

@ApiSchema({ description: 'A credential for scripts of a developer, bound to one organization. Without its value.' })
export class PersonalAccessTokenResponse {
  @IdField({ of: 'personal access token' })
  id: string;

  @IdField({ of: 'organization', description: 'The organization that the token is bound to.' })
  organization_id: string;

  @IdField({ of: 'developer', description: 'The developer that the token acts for.' })
  developer_id: string;

  @TextField({ max: 100, example: 'Release script', description: 'The name of the token.' })
  name: string;

  @EnumSetField(PAT_SCOPES, {
    example: ['builds:read'],
    description: 'The permissions of the token, as far as the roles of its developer allow them.',
  })
  scopes: PatScope[];

  @TokenField.last4()
  last4: string;

  @TimeField({ example: '2026-11-02T09:40:57.211Z', description: 'When the token was created.' })
  created_at: string;

  @TokenField.expiry()
  expires_at: string | null;

  @TokenField.lastUse()
  last_used_at: string | null;
}

@ApiSchema({ description: 'A personal access token with its value, which only this response contains.' })
export class NewPersonalAccessTokenResponse extends PersonalAccessTokenResponse {
  @TokenField.value('ag_pat_…')
  token: string;
}

export class PatPage extends PageOf(PersonalAccessTokenResponse) {}
