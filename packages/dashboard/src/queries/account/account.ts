import { type ConfirmMfaRequest, type DisableMfaRequest, type ResponseOf, type SessionResponse } from '@agate/client';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, noteSession } from '../../session/api';
import { byCursor } from '../by-cursor';
import { keyOf } from '../keys';
import { type SessionOrganization } from './session';

export type LoginSession = SessionResponse;

/** The sessions of the developer, the newest login first. */
export const sessionsQuery = infiniteQueryOptions({
  queryKey: keyOf('sessions'),
  ...byCursor,
  queryFn: ({ pageParam, signal }) =>
    api.request('GET /developers/me/sessions', { query: { limit: 50, cursor: pageParam }, signal }),
});

export const endSession = (id: string): Promise<undefined> =>
  api.request('DELETE /developers/me/sessions/{session_id}', { path: { session_id: id } });

export const endOtherSessions = (): Promise<undefined> => api.request('DELETE /developers/me/sessions');

/** Changes the developer's data that other members and mails show. */
export const updateProfile = (profile: { name?: string | null; language?: 'en' | 'de' }) =>
  api.request('PATCH /developers/me', { body: profile });

export const changeEmail = (password: string, newEmail: string): Promise<undefined> =>
  api.request('POST /developers/me/email', { body: { password, new_email: newEmail } });

/**
 * Sends a change that ends all sessions, and then logs in again with the password.
 * @returns false when the login was not possible, so that the developer has to log in.
 */
async function changeAndLogIn(change: () => Promise<unknown>, email: string, password: string): Promise<boolean> {
  await change();
  // Other requests that are rejected now do not mean that the session has ended.
  noteSession(false);
  try {
    await api.request('POST /login/email', { body: { email, password, cookies_only: true } });
  } catch {
    return false;
  }
  noteSession(true);
  return true;
}

export const changePassword = (email: string, current: string, password: string): Promise<boolean> =>
  changeAndLogIn(
    () => api.request('POST /developers/me/password', { body: { current_password: current, new_password: password } }),
    email,
    password,
  );

export const enrolMfa = (password: string) => api.request('POST /developers/me/mfa', { body: { password } });

/** Turns two-factor login on, which ends all sessions. */
export const confirmMfa = (body: ConfirmMfaRequest) => api.request('POST /developers/me/mfa/confirm', { body });

export const disableMfa = (email: string, body: DisableMfaRequest): Promise<boolean> =>
  changeAndLogIn(() => api.request('DELETE /developers/me/mfa', { body }), email, body.password);

const EXPORT_STEP_MS = 3_000;

/** The latest export of the developer's data. Polls while the archive is being made. */
export const ownExportQuery = queryOptions<ResponseOf<'GET /developers/me/export'>>({
  queryKey: keyOf('own-export'),
  refetchInterval: ({ state: { data } }) =>
    data?.export?.state === 'requested' || data?.export?.state === 'running' ? EXPORT_STEP_MS : false,
  queryFn: ({ signal }) => api.request('GET /developers/me/export', { signal }),
});

export const requestExport = (password: string) => api.request('POST /developers/me/export', { body: { password } });

export const deleteAccount = (password: string): Promise<undefined> =>
  api.request('DELETE /developers/me', { body: { password } });

/** The organizations that would be left without an ADMIN: the developer is the only one. */
export const lastAdminQuery = (developerId: string, organizations: readonly SessionOrganization[]) =>
  queryOptions({
    queryKey: keyOf(
      'last-admin',
      developerId,
      organizations.map(({ id }) => id),
    ),
    refetchInterval: false,
    queryFn: async ({ signal }) => {
      const own = organizations.filter(({ roles }) => roles.includes('ADMIN'));
      const alone = await Promise.all(own.map(({ id }) => isLastAdmin(developerId, id, signal)));
      return own.filter((_, at) => alone[at]);
    },
  });

async function isLastAdmin(developerId: string, organizationId: string, signal: AbortSignal): Promise<boolean> {
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: { items: readonly { developer_id: string; roles: readonly string[] }[]; next_cursor: string | null } =
      await api.request('GET /organizations/{organization_id}/members', {
        path: { organization_id: organizationId },
        query: { limit: 100, cursor },
        signal,
      });
    if (page.items.some(({ developer_id: id, roles }) => id !== developerId && roles.includes('ADMIN'))) return false;
    cursor = page.next_cursor;
  }
  return true;
}
