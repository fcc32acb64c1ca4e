import { api, noteSession } from '../session/api';

/** Ends this session. The page is loaded anew, so that nothing of the developer stays in its memory. */
export async function logOut(): Promise<void> {
  await api.request('POST /login/logout', { body: { only_this_session: true } });
  noteSession(false);
  location.assign('/login');
}
