import { api, noteSession } from './api';

/** Ends this session. Loads the page again, so that nothing of the developer stays in its memory. */
export async function logOut(): Promise<void> {
  await api.request('POST /login/logout', { body: { only_this_session: true } });
  noteSession(false);
  location.assign('/login');
}
