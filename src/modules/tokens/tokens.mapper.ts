import {
  type NewPersonalAccessTokenResponse,
  type PersonalAccessTokenResponse,
} from './personal/personal-access-tokens.dto';
import {
  type NewProjectAccessTokenResponse,
  type ProjectAccessTokenResponse,
} from './project/project-access-tokens.dto';
import { type NewPersonalAccessToken, type PersonalAccessToken } from './personal/personal-access-tokens.service';
import { type NewProjectAccessToken } from './project/project-access-tokens.service';
import { type LabelledToken } from './owner-labels.service';

export const toProjectAccessTokenResponse = (token: LabelledToken): ProjectAccessTokenResponse => ({
  id: token.id,
  organization_id: token.organizationId,
  project_id: token.projectId,
  name: token.name,
  role: token.role,
  last4: token.last4,
  created_by: token.createdBy,
  created_by_label: token.createdByLabel,
  creator_left: token.creatorLeft,
  created_at: token.createdAt.toISOString(),
  expires_at: token.expiresAt?.toISOString() ?? null,
  last_used_at: token.lastUsedAt?.toISOString() ?? null,
});

export const toNewProjectAccessTokenResponse = (
  token: LabelledToken<NewProjectAccessToken>,
): NewProjectAccessTokenResponse => ({
  ...toProjectAccessTokenResponse(token),
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
