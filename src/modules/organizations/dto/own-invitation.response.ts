import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ORGANIZATION_ROLES, type OrganizationRole } from '#kernel/access/roles';
import { EnumSetField, IdField, TextField, TimeField } from '#infra/http/dto/fields';
import { PageOf } from '#infra/http/dto/pagination';

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
