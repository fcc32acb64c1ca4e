import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { sessionQuery } from '../queries/account/session';
import { noteSession } from './api';

/**
 * Returns the function that shows the login after an action that ended the session, such as a new password. `next` is shown after the
 * login.
 */
export function useLeave(): (next?: string) => Promise<void> {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return async (next) => {
    noteSession(false);
    queryClient.clear();
    queryClient.setQueryData(sessionQuery.queryKey, { state: 'none', developer: null, organizations: [] });
    await navigate({ to: '/login', search: next === undefined ? {} : { next } });
  };
}
