import { type NewProjectAccessTokenResponse, type ProjectAccessTokenResponse, type ProjectRole } from '@agate/client';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { api } from '../../session/api';
import { type ProjectScope } from '../../session/use-project-place';
import { byCursor } from '../by-cursor';
import { keyOf } from '../keys';

export type ProjectToken = ProjectAccessTokenResponse;
export type NewProjectToken = NewProjectAccessTokenResponse;

export interface ProjectTokenDraft {
  readonly name: string;
  readonly role: ProjectRole;
  readonly expires_at: string | null;
}

/** The project access tokens of a project, newest first. Never with their values. */
export const projectTokensQuery = (scope: ProjectScope) =>
  infiniteQueryOptions({
    queryKey: keyOf('project-tokens', scope.project_id),
    ...byCursor,
    queryFn: ({ pageParam, signal }) =>
      api.request('GET /project-access-tokens', { query: { ...scope, limit: 50, cursor: pageParam }, signal }),
  });

/** The newest token of a project with a name, among its hundred newest ones. */
export async function findProjectToken(scope: ProjectScope, name: string): Promise<ProjectToken | undefined> {
  const { items } = await api.request('GET /project-access-tokens', { query: { ...scope, limit: 100 } });
  return items.find((token) => token.name === name);
}

export const createProjectToken = (scope: ProjectScope, body: ProjectTokenDraft): Promise<NewProjectToken> =>
  api.request('POST /project-access-tokens', { query: scope, body });

export const rotateProjectToken = (scope: ProjectScope, tokenId: string, overlap: number): Promise<NewProjectToken> =>
  api.request('POST /project-access-tokens/{token_id}/rotate', {
    path: { token_id: tokenId },
    query: scope,
    body: { overlap_seconds: overlap },
  });

export const revokeProjectToken = (scope: ProjectScope, tokenId: string): Promise<undefined> =>
  api.request('DELETE /project-access-tokens/{token_id}', { path: { token_id: tokenId }, query: scope });
