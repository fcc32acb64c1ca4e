import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ORGANIZATION_ROLES, type OrganizationRole, PROJECT_ROLES, type ProjectRole } from '#kernel/access/roles';
import {
  BooleanField,
  BooleanQueryField,
  EmailField,
  EnumField,
  EnumSetField,
  IdField,
  TextField,
  TimeField,
} from '#infra/http/dto/fields';
import { PageOf } from '#infra/http/dto/pagination';

@ApiSchema({ description: 'The roles that a member is to have.' })
export class UpdateMemberRequest {
  @EnumSetField(ORGANIZATION_ROLES, {
    example: ['MANAGER'],
    description:
      'All roles of the member. They replace the present ones. `MEMBER` only sees projects in which the member has a project role; `ADMIN` may do everything.',
  })
  roles: OrganizationRole[];
}

export class RemoveMemberQuery {
  @BooleanQueryField({
    optional: true,
    example: true,
    description:
      'Whether the project access tokens that the member created or rotated last are revoked. Needs ADMIN. Default false: they belong to their projects and stay.',
  })
  revoke_tokens?: boolean;
}

@ApiSchema({ description: 'An invitation to become a member.' })
export class InviteMemberRequest {
  @EmailField({
    example: 'bob@example.com',
    description: 'The address that the invitation is mailed to. Only an account with this address can accept it.',
  })
  email: string;

  @EnumSetField(ORGANIZATION_ROLES, {
    example: ['MANAGER'],
    description:
      'The roles that the member will have. `MEMBER` only sees projects in which the member has a project role; `ADMIN` may do everything.',
  })
  roles: OrganizationRole[];
}

@ApiSchema({ description: 'The invitation to accept.' })
export class AcceptInvitationRequest {
  @TextField({ max: 200, description: 'The token from the mailed link.', example: 'kq0YyX…' })
  token: string;
}

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

  @EnumField(PROJECT_ROLES, {
    name: 'ProjectRole',
    description: 'The permissions of the token.',
    example: 'UPLOAD_BUILD',
  })
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

@ApiSchema({ description: 'The project access tokens that a removed member may know.' })
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

@ApiSchema({ description: 'The developer who sent an invitation.' })
export class InvitedByResponse {
  @IdField({ of: 'developer' })
  id: string;

  @TextField({ max: 254, example: 'Bob Example', description: 'Their name, or else their e-mail address.' })
  label: string;
}

@ApiSchema({ description: 'An invitation to you that you have neither accepted nor declined.' })
export class OwnInvitationResponse {
  @IdField({ of: 'invitation' })
  id: string;

  @IdField({ of: 'organization' })
  organization_id: string;

  @TextField({ max: 100, example: 'Example Inc.', description: 'The name of the organization.' })
  organization_name: string;

  @EnumSetField(ORGANIZATION_ROLES, { example: ['MANAGER'], description: 'The roles that you will have.' })
  roles: OrganizationRole[];

  @ApiProperty({ type: InvitedByResponse, description: 'The member who invites you.' })
  invited_by: InvitedByResponse;

  @TimeField({ example: '2026-11-03T08:02:19.640Z', description: 'When the invitation was sent.' })
  created_at: string;

  @TimeField({ example: '2026-11-10T08:02:19.640Z', description: 'When it expires: seven days after it was sent.' })
  expires_at: string;
}

export class OwnInvitationPage extends PageOf(OwnInvitationResponse) {}
