import { ApiError } from '@agate/client';
import { QueryClient } from '@tanstack/react-query';

const isFinal = (error: unknown): boolean => error instanceof ApiError && error.status >= 400 && error.status < 500;

/** The cache of what the API answered. Lists refetch every 15 s while the tab is visible. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      refetchInterval: 15_000,
      refetchOnWindowFocus: true,
      networkMode: 'always',
      retry: (failures, error) => failures < 2 && !isFinal(error),
      // The data that is there stays on the screen while the service cannot be reached.
      throwOnError: false,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});
