import { type InvitationPreviewResponse, type OwnInvitationResponse } from '@agate/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../session/api';
import { keyOf } from '../keys';

export type OwnInvitation = OwnInvitationResponse;
export type InvitationPreview = InvitationPreviewResponse;

/** Invitations to the developer that they have neither accepted nor declined. At most 100. */
export const ownInvitationsQuery = queryOptions({
  queryKey: keyOf('own-invitations'),
  refetchInterval: 60_000,
  queryFn: async ({ signal }) =>
    (await api.request('GET /developers/me/invitations', { query: { limit: 100 }, signal })).items,
});

/** The invitation of a mailed link. The token is in the body of the request, because addresses are logged. */
export const invitationPreviewQuery = (token: string) =>
  queryOptions({
    queryKey: keyOf('invitation-preview', token),
    staleTime: Infinity,
    refetchInterval: false,
    queryFn: ({ signal }) => api.request('POST /organizations/invitations/preview', { body: { token }, signal }),
  });
