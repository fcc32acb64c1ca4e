import { type AccessToken } from './lifetime/access-token';
import { type IdentifiedTokenResponse, type OrganizationTokenResponse } from './organization/organization-tokens.dto';
import { type OrganizationToken } from './organization/organization-tokens.service';
import { type IdentifiedToken } from './organization/token-identification';
import { type LabelledToken } from './owner-labels.service';
import {
  type NewPersonalAccessTokenResponse,
  type PersonalAccessTokenResponse,
} from './personal/personal-access-tokens.dto';
import { type NewPersonalAccessToken, type PersonalAccessToken } from './personal/personal-access-tokens.service';
import {
  type NewProjectAccessTokenResponse,
  type ProjectAccessTokenResponse,
} from './project/project-access-tokens.dto';
import { type NewProjectAccessToken } from './project/project-access-tokens.service';

/** The fields of every kind of token. Columns such as the digest are left out. */
const toAccessTokenFields = (token: AccessToken) => ({
  id: token.id,
  organization_id: token.organizationId,
  name: token.name,
  last4: token.last4,
  created_at: token.createdAt.toISOString(),
  expires_at: token.expiresAt?.toISOString() ?? null,
  last_used_at: token.lastUsedAt?.toISOString() ?? null,
});

export const toProjectAccessTokenResponse = (token: LabelledToken): ProjectAccessTokenResponse => ({
  ...toAccessTokenFields(token),
  project_id: token.projectId,
  role: token.role,
  created_by: token.createdBy,
  created_by_label: token.createdByLabel,
  creator_left: token.creatorLeft,
});

export const toNewProjectAccessTokenResponse = (
  token: LabelledToken<NewProjectAccessToken>,
): NewProjectAccessTokenResponse => ({
  ...toProjectAccessTokenResponse(token),
  token: token.token,
});

export const toPersonalAccessTokenResponse = (token: PersonalAccessToken): PersonalAccessTokenResponse => ({
  ...toAccessTokenFields(token),
  developer_id: token.developerId,
  scopes: [...token.scopes],
});

export const toNewPersonalAccessTokenResponse = (token: NewPersonalAccessToken): NewPersonalAccessTokenResponse => ({
  ...toPersonalAccessTokenResponse(token),
  token: token.token,
});

export const toOrganizationTokenResponse = (token: OrganizationToken): OrganizationTokenResponse => ({
  ...toProjectAccessTokenResponse(token),
  project_name: token.projectName,
});

export const toIdentifiedTokenResponse = ({ kind, state, ...token }: IdentifiedToken): IdentifiedTokenResponse => {
  const { organization_id: _, ...fields } = toAccessTokenFields(token);
  return {
    kind,
    state,
    ...fields,
    project_id: token.projectId,
    project_name: token.projectName,
    role: token.role,
    developer_label: token.developerLabel,
  };
};
