import { ApiSchema } from '@nestjs/swagger';
import { ORGANIZATION_ROLES, type OrganizationRole } from '#kernel/access/roles';
import { BooleanField, EmailField, EnumSetField, IdField, TextField, TimeField } from '#infra/http/dto/fields';
import { type InvitationPreview } from './invitation-previews.service';

@ApiSchema({ description: 'The mailed link of an invitation.' })
export class InvitationPreviewRequest {
  @TextField({ max: 200, description: 'The token from the mailed link.', example: 'kq0YyX…' })
  token: string;
}

@ApiSchema({ description: 'An invitation that its mailed link opens.' })
export class InvitationPreviewResponse {
  @IdField({ of: 'organization' })
  organization_id: string;

  @TextField({ max: 100, example: 'Example Inc.', description: 'The name of the organization.' })
  organization_name: string;

  @TextField({
    max: 254,
    example: 'Bob Example',
    description: 'The name of the member who sent it, or else their e-mail address.',
  })
  invited_by_label: string;

  @EmailField({ example: 'kim@example.com', description: 'The address that the invitation was mailed to.' })
  email: string;

  @EnumSetField(ORGANIZATION_ROLES, { example: ['MANAGER'], description: 'The roles that you will have.' })
  roles: OrganizationRole[];

  @TimeField({ example: '2026-11-10T08:02:19.640Z', description: 'When its link stops working.' })
  expires_at: string;

  @BooleanField({
    example: false,
    description:
      'Whether a verified or suspended account has the address: then its owner logs in and accepts. Otherwise sign up with the token, which replaces an unverified account of the address.',
  })
  has_account: boolean;

  @BooleanField({
    example: true,
    description: 'Whether the service creates an account for the address. False: its operator creates one.',
  })
  may_sign_up: boolean;
}

export const toInvitationPreviewResponse = (preview: InvitationPreview): InvitationPreviewResponse => ({
  organization_id: preview.organizationId,
  organization_name: preview.organizationName,
  invited_by_label: preview.invitedByLabel,
  email: preview.email,
  roles: [...preview.roles],
  expires_at: preview.expiresAt.toISOString(),
  has_account: preview.hasAccount,
  may_sign_up: preview.maySignUp,
});
