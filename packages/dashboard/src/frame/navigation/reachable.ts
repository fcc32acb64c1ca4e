import { ApiError } from '@agate/client';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';

type Listener = () => void;
const listeners = new Set<Listener>();
let isReachable = true;

/** Stores whether the service responds, as far as the stream of changes shows. */
export function setReachable(reachable: boolean): void {
  if (reachable === isReachable) return;
  isReachable = reachable;
  for (const listener of listeners) listener();
}

const isUnreachable = (error: Error | null): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status >= 502) && error.retryAfterSeconds === null;

/** Whether some data on the screen could not be refetched, so that it may be outdated. */
const hasOldData = (queryClient: QueryClient): boolean =>
  queryClient
    .getQueryCache()
    .getAll()
    .some(
      (query) =>
        query.state.data !== undefined &&
        query.getObserversCount() > 0 &&
        (isUnreachable(query.state.error) || isUnreachable(query.state.fetchFailureReason)),
    );

/** Whether the service cannot be reached at the moment. */
export function useIsOffline(): boolean {
  const queryClient = useQueryClient();
  const subscribe = useCallback(
    (listener: Listener) => {
      listeners.add(listener);
      const unsubscribe = queryClient.getQueryCache().subscribe(listener);
      return () => {
        listeners.delete(listener);
        unsubscribe();
      };
    },
    [queryClient],
  );
  return useSyncExternalStore(subscribe, () => !isReachable || hasOldData(queryClient));
}
