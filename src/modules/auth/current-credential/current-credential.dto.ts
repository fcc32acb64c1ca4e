import { ApiProperty, ApiSchema, PickType } from '@nestjs/swagger';
import { PAT_SCOPES, type PatScope, PROJECT_ROLES, type ProjectRole } from '#kernel/access/roles';
import { EmailField, EnumField, EnumSetField, IdField, TextField, TimeField } from '#infra/http/dto/fields';
import { OrganizationResponse } from '#modules/organizations';
import { CREDENTIAL_KINDS, type CredentialKindName, type CurrentCredential } from './current-credential.service';

@ApiSchema({ description: 'The organization that a token is bound to.' })
export class CredentialOrganizationResponse extends PickType(OrganizationResponse, ['id', 'name', 'plan']) {}

@ApiSchema({ description: 'The project that a token is bound to.' })
export class CredentialProjectResponse {
  @IdField({ of: 'project' })
  id: string;

  @TextField({ max: 100, example: 'Demo', description: 'The name of the app.' })
  name: string;
}

@ApiSchema({ description: 'The developer whom a credential acts for.' })
export class CredentialDeveloperResponse {
  @IdField({ of: 'developer' })
  id: string;

  @EmailField({ example: 'ann@example.com', description: 'The e-mail address.' })
  email: string;

  @TextField({ max: 100, nullable: true, example: 'Ann', description: 'The name. `null` when there is none.' })
  name: string | null;
}

@ApiSchema({ description: 'The credential of a request and its permissions, without its value.' })
export class CredentialResponse {
  @EnumField(CREDENTIAL_KINDS, {
    example: 'project_access_token',
    description:
      '`session`: the access token or cookie of a login. `personal_access_token`: acts for a developer in one organization. `project_access_token`: acts in one project.',
  })
  kind: CredentialKindName;

  @IdField({
    nullable: true,
    of: 'project access token',
    description: 'Id of the token or session. `null` for a session of an earlier version of the service.',
  })
  id: string | null;

  @TextField({
    max: 100,
    nullable: true,
    example: 'GitHub Actions',
    description: 'The name of the token. `null` for a session.',
  })
  name: string | null;

  @ApiProperty({
    type: CredentialDeveloperResponse,
    nullable: true,
    example: null,
    description: 'The developer whom it acts for. `null` for a project access token.',
  })
  developer: CredentialDeveloperResponse | null;

  @ApiProperty({
    type: CredentialOrganizationResponse,
    nullable: true,
    description:
      'The organization that it is bound to. `null` for a session: `GET /organizations` lists the organizations.',
  })
  organization: CredentialOrganizationResponse | null;

  @ApiProperty({
    type: CredentialProjectResponse,
    nullable: true,
    description: 'The project that it is bound to. `null` unless it is a project access token.',
  })
  project: CredentialProjectResponse | null;

  @EnumField(PROJECT_ROLES, {
    nullable: true,
    name: 'ProjectRole',
    example: 'UPLOAD_BUILD',
    description:
      'The role of a project access token in its project. `null` for other credentials, which have the roles of their developer.',
  })
  role: ProjectRole | null;

  @EnumSetField(PAT_SCOPES, {
    nullable: true,
    example: null,
    description: 'The scopes of a personal access token. `null` for other credentials, which scopes do not limit.',
  })
  scopes: PatScope[] | null;

  @TimeField({
    nullable: true,
    example: '2027-11-20T00:00:00.000Z',
    description:
      'When it expires. For the old value of a token that was rotated: the end of the overlap. `null`: it is valid until it is revoked.',
  })
  expires_at: string | null;
}

export const toCredentialResponse = ({ developer, ...credential }: CurrentCredential): CredentialResponse => ({
  kind: credential.kind,
  id: credential.id,
  name: credential.name,
  developer: developer && { id: developer.id, email: developer.email, name: developer.name },
  organization: credential.organization,
  project: credential.project,
  role: credential.role,
  scopes: credential.scopes && [...credential.scopes],
  expires_at: credential.expiresAt?.toISOString() ?? null,
});
