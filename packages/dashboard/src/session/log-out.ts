import { ApiError } from '@agate/client';
import { api, noteSession } from './api';

/**
 * Ends this session, unless it has ended already. Loads the next page anew, so that no data of the developer stays in the memory of this
 * one.
 */
export async function logOut(next = '/login'): Promise<void> {
  try {
    await api.request('POST /login/logout', { body: { only_this_session: true } });
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401)) throw error;
  }
  noteSession(false);
  location.assign(next);
}
