import { ApiProperty } from '@nestjs/swagger';
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

export class MemberResponse {
  @IdField()
  developer_id: string;

  @EmailField()
  email: string;

  @TextField({ max: 100, nullable: true, example: 'Ann Example' })
  name: string | null;

  @EnumSetField(ORGANIZATION_ROLES, { example: ['MANAGER'] })
  roles: OrganizationRole[];

  @TimeField({ description: 'When the developer joined.' })
  created_at: string;
}

export class MemberPage extends PageOf(MemberResponse) {}

export class LeftTokenResponse {
  @IdField()
  id: string;

  @IdField({ description: 'The project that the token belongs to.' })
  project_id: string;

  @TextField({ max: 100, example: 'GitHub Actions' })
  name: string;

  @EnumField(PROJECT_ROLES, { name: 'ProjectRole', description: 'What the token may do.', example: 'UPLOAD_BUILD' })
  role: ProjectRole;

  @TextField({ max: 4, description: 'The last characters of the token, to recognize it by.', example: 'x7Qa' })
  last4: string;

  @TimeField()
  created_at: string;

  @TimeField({ nullable: true, description: 'Null: the token is valid until it is revoked.' })
  expires_at: string | null;

  @TimeField({ nullable: true, description: 'Exact to a minute.' })
  last_used_at: string | null;
}

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

export class InvitationResponse {
  @IdField()
  id: string;

  @IdField()
  organization_id: string;

  @EmailField()
  email: string;

  @EnumSetField(ORGANIZATION_ROLES, { example: ['MEMBER'] })
  roles: OrganizationRole[];

  @IdField({
    nullable: true,
    description: 'The developer who sent the invitation; null after their account was deleted.',
  })
  invited_by: string | null;

  @TimeField()
  created_at: string;

  @TimeField()
  expires_at: string;
}

export class InvitationPage extends PageOf(InvitationResponse) {}
