import { ApiSchema } from '@nestjs/swagger';
import { ORGANIZATION_ROLES, type OrganizationRole } from '#kernel/access/roles';
import { EmailField, EnumSetField, IdField, TextField, TimeField } from '#infra/http/dto/fields';
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

  @TimeField({ example: '2026-11-03T08:02:19.640Z', description: 'When the invitation was sent.' })
  created_at: string;

  @TimeField({
    example: '2026-11-10T08:02:19.640Z',
    description: 'When its link stops working: seven days after it was sent.',
  })
  expires_at: string;
}

export class InvitationPage extends PageOf(InvitationResponse) {}
