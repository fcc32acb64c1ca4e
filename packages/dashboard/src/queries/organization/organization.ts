import { queryOptions } from '@tanstack/react-query';
import { api } from '../../session/api';
import { keyOf } from '../keys';

const pathOf = (organizationId: string) => ({ organization_id: organizationId });

/** The rest of the credit or of the spending cap. Only for members with the role BILLING. */
export const balanceQuery = (organizationId: string) =>
  queryOptions({
    queryKey: keyOf('billing', organizationId),
    queryFn: ({ signal }) =>
      api.request('GET /organizations/{organization_id}/billing', { path: pathOf(organizationId), query: {}, signal }),
  });

/** The number of pending invitations of the organization, at most 100. Only for members with the role ADMIN. */
export const openInvitationsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: keyOf('open-invitations', organizationId),
    refetchInterval: 60_000,
    queryFn: async ({ signal }) => {
      const { items } = await api.request('GET /organizations/{organization_id}/invitations', {
        path: pathOf(organizationId),
        query: { limit: 100 },
        signal,
      });
      return items.length;
    },
  });

/** The limits of the organization, and how much of each is used. */
export const organizationQuotasQuery = (organizationId: string) =>
  queryOptions({
    queryKey: keyOf('organization-quotas', organizationId),
    queryFn: async ({ signal }) =>
      (await api.request('GET /organizations/{organization_id}/quotas', { path: pathOf(organizationId), signal }))
        .quotas,
  });

const WHILE_IT_IS_MADE_MS = 3_000;

/** The newest export of the organization that the developer requested; null without one. Polls while it is made. */
export const organizationExportQuery = (organizationId: string) =>
  queryOptions({
    queryKey: keyOf('organization-export', organizationId),
    queryFn: async ({ signal }) =>
      (await api.request('GET /organizations/{organization_id}/export', { path: pathOf(organizationId), signal }))
        .export,
    refetchInterval: ({ state }) => {
      const made = state.data?.state;
      return made === 'requested' || made === 'running' ? WHILE_IT_IS_MADE_MS : 60_000;
    },
  });
