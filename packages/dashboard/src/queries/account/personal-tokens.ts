import {
  type CreatePersonalAccessTokenRequest,
  type NewPersonalAccessTokenResponse,
  type PersonalAccessTokenResponse,
} from '@agate/client';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { api } from '../../session/api';
import { byCursor } from '../by-cursor';
import { keyOf } from '../keys';

export type PersonalToken = PersonalAccessTokenResponse;
export type NewPersonalToken = NewPersonalAccessTokenResponse;
export type TokenScope = PersonalToken['scopes'][number];

/** The personal access tokens of the developer in an organization, newest first; for an ADMIN, those of all members. */
export const personalTokensQuery = (organizationId: string) =>
  infiniteQueryOptions({
    queryKey: keyOf('personal-tokens', organizationId),
    ...byCursor,
    queryFn: ({ pageParam, signal }) =>
      api.request('GET /pats', { query: { organization_id: organizationId, limit: 50, cursor: pageParam }, signal }),
  });

export const createPersonalToken = (
  organizationId: string,
  body: CreatePersonalAccessTokenRequest,
): Promise<NewPersonalToken> => api.request('POST /pats', { query: { organization_id: organizationId }, body });

export const rotatePersonalToken = (organizationId: string, tokenId: string): Promise<NewPersonalToken> =>
  api.request('POST /pats/{token_id}/rotate', {
    path: { token_id: tokenId },
    query: { organization_id: organizationId },
  });

export const revokePersonalToken = (organizationId: string, tokenId: string): Promise<undefined> =>
  api.request('DELETE /pats/{token_id}', { path: { token_id: tokenId }, query: { organization_id: organizationId } });
