import { type IdentifiedTokenResponse, type OrganizationTokenResponse } from '@agate/client';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { api } from '../../session/api';
import { byCursor } from '../by-cursor';
import { keyOf } from '../keys';

export type OrganizationToken = OrganizationTokenResponse;
export type IdentifiedToken = IdentifiedTokenResponse;

export interface TokenFilters {
  /** Only tokens that were not used for so many days. */
  readonly unusedDays?: number;
  /** The end of the value. */
  readonly last4?: string;
}

/** The project access tokens of all projects, newest first. */
export const organizationTokensQuery = (organizationId: string, { unusedDays, last4 }: TokenFilters = {}) =>
  infiniteQueryOptions({
    queryKey: keyOf('organization-tokens', organizationId, { unusedDays, last4 }),
    ...byCursor,
    queryFn: ({ pageParam, signal }) =>
      api.request('GET /organizations/{organization_id}/project-access-tokens', {
        path: { organization_id: organizationId },
        query: { limit: 50, cursor: pageParam, unused_days: unusedDays, last4 },
        signal,
      }),
  });

/** The token that a value belongs to. The value is in the body of the request, because addresses are logged. */
export const identifyToken = (organizationId: string, token: string): Promise<IdentifiedToken> =>
  api.request('POST /organizations/{organization_id}/tokens/identify', {
    path: { organization_id: organizationId },
    body: { token },
  });
