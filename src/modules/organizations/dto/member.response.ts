import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ORGANIZATION_ROLES, type OrganizationRole, PROJECT_ROLES, type ProjectRole } from '#kernel/access/roles';
import {
  BooleanField,
  EmailField,
  EnumField,
  EnumSetField,
  IdField,
  TextField,
  TimeField,
} from '#infra/http/dto/fields';
import { PageOf } from '#infra/http/dto/pagination';

@ApiSchema({ description: 'A developer who belongs to an organization.' })
export class MemberResponse {
  @IdField({ of: 'member', description: 'Id of the developer.' })
  developer_id: string;

  @EmailField({ example: 'bob@example.com', description: 'The e-mail address of their account.' })
  email: string;

  @TextField({
    max: 100,
    nullable: true,
    example: 'Bob Example',
    description: 'Their name. `null` when they gave none.',
  })
  name: string | null;

  @EnumSetField(ORGANIZATION_ROLES, {
    example: ['MANAGER'],
    description: 'Their organization roles. Project roles can add to them.',
  })
  roles: OrganizationRole[];

  @TimeField({ example: '2026-11-03T08:15:44.075Z', description: 'When the developer joined.' })
  created_at: string;
}

export class MemberPage extends PageOf(MemberResponse) {}

@ApiSchema({ description: 'A valid project access token that a removed member knows.' })
export class LeftTokenResponse {
  @IdField({ of: 'project access token', description: 'Id of the token.' })
  id: string;

  @IdField({ of: 'project', description: 'The project that the token belongs to.' })
  project_id: string;

  @TextField({ max: 100, example: 'GitHub Actions', description: 'Name of the token.' })
  name: string;

  @EnumField(PROJECT_ROLES, { name: 'ProjectRole', description: 'What the token may do.', example: 'UPLOAD_BUILD' })
  role: ProjectRole;

  @TextField({ max: 4, description: 'The last characters of the token, to recognize it by.', example: 'x7Qa' })
  last4: string;

  @TimeField({ description: 'When the token was created.' })
  created_at: string;

  @TimeField({ nullable: true, description: 'When the token expires. `null`: it is valid until it is revoked.' })
  expires_at: string | null;

  @TimeField({
    nullable: true,
    description: 'When the token was last used, exact to a minute. `null` when it was never used.',
  })
  last_used_at: string | null;
}

@ApiSchema({ description: 'What a removed member leaves behind.' })
export class MemberRemovalResponse {
  @ApiProperty({
    type: [LeftTokenResponse],
    description:
      'The valid project access tokens that the removed member created or rotated last, newest first, at most 1000. They belong to their projects.',
  })
  project_access_tokens: LeftTokenResponse[];

  @BooleanField({
    description: 'True when the removal revoked the tokens. False: they still work; rotate or revoke each of them.',
    example: false,
  })
  tokens_revoked: boolean;
}

@ApiSchema({ description: 'An invitation that was not accepted yet.' })
export class InvitationResponse {
  @IdField({ of: 'invitation' })
  id: string;

  @IdField({ of: 'organization' })
  organization_id: string;

  @EmailField({ example: 'bob@example.com', description: 'The address that the invitation was mailed to.' })
  email: string;

  @EnumSetField(ORGANIZATION_ROLES, { example: ['MANAGER'], description: 'The roles that the member will have.' })
  roles: OrganizationRole[];

  @IdField({
    nullable: true,
    of: 'developer',
    description: 'The developer who sent the invitation. `null` after their account was deleted.',
  })
  invited_by: string | null;

  @TextField({
    max: 254,
    nullable: true,
    example: 'Ann',
    description:
      'The name of that developer, or the e-mail address of one without a name. `null` when their account was deleted.',
  })
  invited_by_label: string | null;

  @TimeField({ example: '2026-11-03T08:02:19.640Z', description: 'When the invitation was sent.' })
  created_at: string;

  @TimeField({
    example: '2026-11-10T08:02:19.640Z',
    description: 'When its link stops working: seven days after it was sent.',
  })
  expires_at: string;
}

export class InvitationPage extends PageOf(InvitationResponse) {}
