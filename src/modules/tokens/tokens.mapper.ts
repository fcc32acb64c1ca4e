import { type NewPersonalAccessTokenResponse, type PersonalAccessTokenResponse } from './dto/personal-access-token.dto';
import { type NewProjectAccessTokenResponse, type ProjectAccessTokenResponse } from './dto/project-access-token.dto';
import { type NewPersonalAccessToken, type PersonalAccessToken } from './personal/personal-access-token';
import { type NewProjectAccessToken, type ProjectAccessToken } from './project/project-access-token';

/** @param creatorLabel the name of the creator. */
export const toProjectAccessTokenResponse = (
  token: ProjectAccessToken,
  creatorLabel: string | null,
): ProjectAccessTokenResponse => ({
  id: token.id,
  organization_id: token.organizationId,
  project_id: token.projectId,
  name: token.name,
  role: token.role,
  last4: token.last4,
  created_by: token.createdBy,
  created_by_label: creatorLabel,
  creator_left: token.creatorLeft,
  created_at: token.createdAt.toISOString(),
  expires_at: token.expiresAt?.toISOString() ?? null,
  last_used_at: token.lastUsedAt?.toISOString() ?? null,
});

export const toNewProjectAccessTokenResponse = (
  token: NewProjectAccessToken,
  creatorLabel: string | null,
): NewProjectAccessTokenResponse => ({
  ...toProjectAccessTokenResponse(token, creatorLabel),
  token: token.token,
});

export const toPersonalAccessTokenResponse = (token: PersonalAccessToken): PersonalAccessTokenResponse => ({
  id: token.id,
  organization_id: token.organizationId,
  developer_id: token.developerId,
  name: token.name,
  scopes: [...token.scopes],
  last4: token.last4,
  created_at: token.createdAt.toISOString(),
  expires_at: token.expiresAt?.toISOString() ?? null,
  last_used_at: token.lastUsedAt?.toISOString() ?? null,
});

export const toNewPersonalAccessTokenResponse = (token: NewPersonalAccessToken): NewPersonalAccessTokenResponse => ({
  ...toPersonalAccessTokenResponse(token),
  token: token.token,
});
