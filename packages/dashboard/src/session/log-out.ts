import { ApiError } from '@agate/client';
import { api, noteSession } from './api';

/** Ends this session, unless it has ended already. Reloads the page, so that no data of the developer stays in its memory. */
export async function logOut(): Promise<void> {
  try {
    await api.request('POST /login/logout', { body: { only_this_session: true } });
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401)) throw error;
  }
  noteSession(false);
  location.assign('/login');
}
