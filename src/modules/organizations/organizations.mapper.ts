import { type InvitationWithInviter } from './invitations/invitations.service';
import { type OwnInvitation } from './invitations/own-invitations.service';
import { type LeftToken } from './members/member-removal';
import {
  type InvitationResponse,
  type MemberRemovalResponse,
  type MemberResponse,
  type OwnInvitationResponse,
} from './members/members.dto';
import { type Member } from './members/members.service';
import { type OrganizationResponse } from './organizations.dto';
import { type Organization } from './organizations.service';

export const toOrganizationResponse = ({ id, name, plan, roles, createdAt }: Organization): OrganizationResponse => ({
  id,
  name,
  plan,
  roles: [...roles],
  created_at: createdAt.toISOString(),
});

export const toMemberResponse = ({ developerId, email, name, roles, createdAt }: Member): MemberResponse => ({
  developer_id: developerId,
  email,
  name,
  roles: [...roles],
  created_at: createdAt.toISOString(),
});

export const toMemberRemovalResponse = (tokens: readonly LeftToken[], revoked: boolean): MemberRemovalResponse => ({
  project_access_tokens: tokens.map((token) => ({
    id: token.id,
    project_id: token.projectId,
    name: token.name,
    role: token.role,
    last4: token.last4,
    created_at: token.createdAt.toISOString(),
    expires_at: token.expiresAt?.toISOString() ?? null,
    last_used_at: token.lastUsedAt?.toISOString() ?? null,
  })),
  tokens_revoked: revoked,
});

export const toInvitationResponse = ({ invitation, invitedByLabel }: InvitationWithInviter): InvitationResponse => ({
  id: invitation.id,
  organization_id: invitation.organizationId,
  email: invitation.email,
  roles: [...invitation.roles],
  invited_by: invitation.invitedBy,
  invited_by_label: invitedByLabel,
  created_at: invitation.createdAt.toISOString(),
  expires_at: invitation.expiresAt.toISOString(),
});

export const toOwnInvitationResponse = (invitation: OwnInvitation): OwnInvitationResponse => ({
  id: invitation.id,
  organization_id: invitation.organizationId,
  organization_name: invitation.organizationName,
  roles: [...invitation.roles],
  invited_by: invitation.invitedBy,
  created_at: invitation.createdAt.toISOString(),
  expires_at: invitation.expiresAt.toISOString(),
});
