import { api, noteSession } from './api';

/** Ends this session. Reloads the page, so that no data of the developer stays in its memory. */
export async function logOut(): Promise<void> {
  await api.request('POST /login/logout', { body: { only_this_session: true } });
  noteSession(false);
  location.assign('/login');
}
