import { type ResponseOf } from '@agate/client';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { api, noteSession, sessionEnded } from '../../session/api';
import { refresh } from '../../session/refresh';
import { keyOf } from '../keys';

export type Session = ResponseOf<'GET /login/session'>;
export type Developer = NonNullable<Session['developer']>;
export type SessionOrganization = Session['organizations'][number];

/** The developer who is logged in, and their organizations. Renews an expired session first. */
export const sessionQuery = queryOptions({
  queryKey: keyOf('session'),
  staleTime: 60_000,
  refetchInterval: 300_000,
  queryFn: async (): Promise<Session> => {
    let session = await api.request('GET /login/session');
    if (session.state === 'expired') {
      await refresh();
      session = await api.request('GET /login/session');
    }
    if (session.state === 'active') noteSession(true);
    else sessionEnded();
    return session;
  },
});

/** The settings of the service: who may sign up, its addresses, limits, plans and prices. */
export const serviceQuery = queryOptions({
  queryKey: keyOf('service'),
  staleTime: 600_000,
  refetchInterval: false,
  queryFn: () => api.request('GET /service'),
});

/** The developer who is logged in. Only for screens behind the login. */
export function useDeveloper(): Developer {
  const { data } = useSuspenseQuery(sessionQuery);
  if (!data.developer) throw new Error('No session.');
  return data.developer;
}

export const useOrganizations = (): readonly SessionOrganization[] => useSuspenseQuery(sessionQuery).data.organizations;
