import { queryOptions } from '@tanstack/react-query';
import { api } from '../../session/api';

/** Names of the members who may change the plan of an organization. */
export const planChangersQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['plan-changers', organizationId],
    refetchInterval: false,
    queryFn: async ({ signal }) => {
      const { items } = await api.request('GET /organizations/{organization_id}/members', {
        path: { organization_id: organizationId },
        query: { limit: 100 },
        signal,
      });
      return items
        .filter(({ roles }) => roles.includes('BILLING') || roles.includes('ADMIN'))
        .map(({ name, email }) => name ?? email);
    },
  });
