import { ORGANIZATION_ROLES, type OrganizationRole } from '#kernel/access/roles';
import { EmailField, EnumSetField, IdField, TextField, TimeField } from '#infra/http/dto/fields';
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
