import {
  type NewProjectAccessTokenResponse,
  type ProjectAccessTokenResponse,
} from './dto/project-access-token.response';
import { type NewProjectAccessToken, type ProjectAccessToken } from './project-access-token';

export const toProjectAccessTokenResponse = (token: ProjectAccessToken): ProjectAccessTokenResponse => ({
  id: token.id,
  organization_id: token.organizationId,
  project_id: token.projectId,
  name: token.name,
  role: token.role,
  last4: token.last4,
  created_by: token.createdBy,
  created_at: token.createdAt.toISOString(),
  expires_at: token.expiresAt?.toISOString() ?? null,
  last_used_at: token.lastUsedAt?.toISOString() ?? null,
});

export const toNewProjectAccessTokenResponse = (token: NewProjectAccessToken): NewProjectAccessTokenResponse => ({
  ...toProjectAccessTokenResponse(token),
  token: token.token,
});
