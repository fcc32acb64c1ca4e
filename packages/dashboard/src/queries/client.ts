import { ApiError } from '@agate/client';
import { QueryClient } from '@tanstack/react-query';

const isFinal = (error: unknown): boolean => error instanceof ApiError && error.status >= 400 && error.status < 500;

/** Whether the stream of changes is open. Changes then arrive without polling. */
export const changes = { areLive: false };

const every = (liveMs: number) => (): number => (changes.areLive ? liveMs : 15_000);

/**
 * The refetch intervals of visible data. Downloads are not in the stream, so counts of them are refetched more often, and details less
 * often.
 */
export const PACE = { counts: every(20_000), details: every(90_000), other: every(300_000) };

/** The cache of API responses. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      refetchInterval: PACE.other,
      refetchOnWindowFocus: true,
      networkMode: 'always',
      retry: (failures, error) => failures < 2 && !isFinal(error),
      // Cached data stays on the screen while the service cannot be reached.
      throwOnError: false,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});
