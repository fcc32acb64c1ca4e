import { ORGANIZATION_ROLES, type OrganizationRole } from '#kernel/access/roles';
import { BooleanQueryField, EmailField, EnumSetField, TextField } from '#infra/http/dto/fields';

export class UpdateMemberRequest {
  @EnumSetField(ORGANIZATION_ROLES, { example: ['MANAGER'] })
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

export class InviteMemberRequest {
  @EmailField()
  email: string;

  @EnumSetField(ORGANIZATION_ROLES, { example: ['MEMBER'] })
  roles: OrganizationRole[];
}

export class AcceptInvitationRequest {
  @TextField({ max: 200, description: 'The token from the mailed link.', example: 'kq0YyX…' })
  token: string;
}
