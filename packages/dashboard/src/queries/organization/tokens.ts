import { type IdentifiedTokenResponse, type OrganizationTokenResponse } from '@agate/client';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { api } from '../../session/api';
import { byCursor } from '../by-cursor';
import { keyOf } from '../keys';

export type OrganizationToken = OrganizationTokenResponse;
export type IdentifiedToken = IdentifiedTokenResponse;

/** The project access tokens of all projects, newest first. @param unusedDays only those that were not used for so many days. */
export const organizationTokensQuery = (organizationId: string, unusedDays?: number) =>
  infiniteQueryOptions({
    queryKey: keyOf('organization-tokens', organizationId, { unusedDays }),
    ...byCursor,
    queryFn: ({ pageParam, signal }) =>
      api.request('GET /organizations/{organization_id}/project-access-tokens', {
        path: { organization_id: organizationId },
        query: { limit: 50, cursor: pageParam, unused_days: unusedDays },
        signal,
      }),
  });

/** The token that a value belongs to. The value is in the body of the request, because addresses are logged. */
export const identifyToken = (organizationId: string, token: string): Promise<IdentifiedToken> =>
  api.request('POST /organizations/{organization_id}/tokens/identify', {
    path: { organization_id: organizationId },
    body: { token },
  });
