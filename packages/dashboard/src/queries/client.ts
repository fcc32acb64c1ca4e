import { ApiError } from '@agate/client';
import { QueryClient } from '@tanstack/react-query';

const isFinal = (error: unknown): boolean => error instanceof ApiError && error.status >= 400 && error.status < 500;

/** Whether the stream of changes is open. Then changes arrive without being asked for. */
export const changes = { areLive: false };

const every = (liveMs: number) => (): number => (changes.areLive ? liveMs : 15_000);

/**
 * How often what is visible is read again. Downloads are not in the stream: what counts them is read more often, and what explains the
 * counts less often.
 */
export const PACE = { counts: every(20_000), details: every(90_000), other: every(300_000) };

/** The cache of what the API answered. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      refetchInterval: PACE.other,
      refetchOnWindowFocus: true,
      networkMode: 'always',
      retry: (failures, error) => failures < 2 && !isFinal(error),
      // The data that is there stays on the screen while the service cannot be reached.
      throwOnError: false,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});
