import { ApiSchema } from '@nestjs/swagger';
import { PROJECT_ROLES, type ProjectRole } from '#kernel/access/roles';
import { EnumField, IdField, IntegerFormField, TextField, TimeField } from '#infra/http/dto/fields';
import { PageOf, PageQuery } from '#infra/http/dto/pagination';
import { TokenField } from '../lifetime/token-fields';
import { ProjectAccessTokenResponse } from '../project/project-access-tokens.dto';
import { TOKEN_KINDS, TOKEN_STATES, type TokenKind, type TokenState } from './token-identification';

export class OrganizationTokensQuery extends PageQuery {
  @IntegerFormField({
    min: 1,
    max: 3650,
    optional: true,
    example: 90,
    description: 'Only tokens that were not used for this number of days, nor created in them.',
  })
  unused_days?: number;

  @TextField({
    max: 4,
    min: 4,
    optional: true,
    example: 'x7Qa',
    description: 'Only tokens whose value ends with these characters.',
  })
  last4?: string;
}

@ApiSchema({ description: 'A project access token, with its project. Without its value.' })
export class OrganizationTokenResponse extends ProjectAccessTokenResponse {
  @TextField({ max: 100, example: 'Rocket', description: 'The name of the project.' })
  project_name: string;
}

export class OrganizationTokenPage extends PageOf(OrganizationTokenResponse) {}

@ApiSchema({ description: 'The value of a token that was found somewhere.' })
export class IdentifyTokenRequest {
  @TextField({ max: 100, example: 'ag_prj_…', description: 'The value. It is neither stored nor logged.' })
  token: string;
}

@ApiSchema({ description: 'The token that a value belongs to.' })
export class IdentifiedTokenResponse {
  @EnumField(TOKEN_KINDS, { example: 'project_access_token', description: 'The kind of the token.' })
  kind: TokenKind;

  @IdField({ of: 'project access token', description: 'Id of the token, to revoke it by.' })
  id: string;

  @TextField({ max: 100, example: 'CI', description: 'The name of the token.' })
  name: string;

  @EnumField(TOKEN_STATES, {
    example: 'valid',
    description: 'Whether the value works: `replaced` by a rotation, `expired` and `revoked` ones do not.',
  })
  state: TokenState;

  @TokenField.last4()
  last4: string;

  @IdField({ of: 'project', nullable: true, description: 'The project. `null` for a personal access token.' })
  project_id: string | null;

  @TextField({
    max: 100,
    nullable: true,
    example: 'Rocket',
    description: 'The name of the project. `null` for a personal access token.',
  })
  project_name: string | null;

  @EnumField(PROJECT_ROLES, {
    name: 'ProjectRole',
    nullable: true,
    example: 'UPLOAD_BUILD',
    description: 'The project role of the token. `null` for a personal access token.',
  })
  role: ProjectRole | null;

  @TextField({
    max: 254,
    nullable: true,
    example: 'Ann',
    description:
      'The developer who created it, or that a personal access token acts for: their name, or else their e-mail address. `null` when their account was deleted.',
  })
  developer_label: string | null;

  @TimeField({ example: '2026-11-02T09:31:12.904Z', description: 'When the token was created.' })
  created_at: string;

  @TokenField.expiry()
  expires_at: string | null;

  @TokenField.lastUse()
  last_used_at: string | null;
}
