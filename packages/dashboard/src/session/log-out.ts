import { ApiError } from '@agate/client';
import { queryClient } from '../queries/client';
import { api, holdRequests, noteSession } from './api';

/** A page that is still shown after this time stays: the browser asked about uploads that are under way, and the developer did not leave. */
const STAYS_AFTER_MS = 5_000;
const LONGEST_WAIT_MS = 30_000;

/**
 * Ends this session, unless it has ended already. The next page is loaded from the service, so that no data of the developer stays in
 * memory.
 */
export async function logOut(next = '/login'): Promise<void> {
  // The service would reject what the page reads after the end of the session, and the page would say that the session ended by itself.
  const sendRequests = holdRequests();
  const resume = (): void => {
    noteSession(true);
    sendRequests();
  };
  noteSession(false);
  await queryClient.cancelQueries();
  try {
    const signal = AbortSignal.timeout(LONGEST_WAIT_MS);
    await api.request('POST /login/logout', { body: { only_this_session: true }, signal });
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401)) {
      resume();
      throw error;
    }
  }
  location.assign(next);
  // The requests of a page that stays show the login.
  setTimeout(resume, STAYS_AFTER_MS);
}
