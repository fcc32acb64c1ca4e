import { ApiSchema } from '@nestjs/swagger';
import { ORGANIZATION_ROLES, type OrganizationRole } from '#kernel/access/roles';
import { BooleanQueryField, EmailField, EnumSetField, TextField } from '#infra/http/dto/fields';

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
