import { ApiError } from '@agate/client';
import { queryClient } from '../queries/client';
import { api, holdRequests, noteSession } from './api';

/**
 * Ends this session, unless it has ended already. The next page is loaded from the service, so that no data of the developer stays in
 * memory.
 */
export async function logOut(next = '/login'): Promise<void> {
  // The service would reject what it reads after the session has ended.
  const sendRequests = holdRequests();
  await queryClient.cancelQueries();
  try {
    await api.request('POST /login/logout', { body: { only_this_session: true } });
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401)) {
      sendRequests();
      throw error;
    }
  }
  noteSession(false);
  location.assign(next);
}
