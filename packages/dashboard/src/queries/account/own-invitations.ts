import { type OwnInvitationResponse } from '@agate/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../session/api';
import { keyOf } from '../keys';

export type OwnInvitation = OwnInvitationResponse;

/** Invitations to the developer that they have neither accepted nor declined. At most 100. */
export const ownInvitationsQuery = queryOptions({
  queryKey: keyOf('own-invitations'),
  refetchInterval: 60_000,
  queryFn: async ({ signal }) =>
    (await api.request('GET /developers/me/invitations', { query: { limit: 100 }, signal })).items,
});
