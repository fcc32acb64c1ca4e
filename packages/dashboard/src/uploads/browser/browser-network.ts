import { type Network } from '@agate/client';

/** Whether this browser has a network connection. */
export const browserNetwork: Network = {
  isOnline: () => navigator.onLine,
  subscribe: (listener) => {
    addEventListener('online', listener);
    addEventListener('offline', listener);
    return () => {
      removeEventListener('online', listener);
      removeEventListener('offline', listener);
    };
  },
};
