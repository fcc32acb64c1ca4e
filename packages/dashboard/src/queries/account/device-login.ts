import { type DeviceLoginResponse } from '@agate/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../session/api';
import { keyOf } from '../keys';

export type DeviceLogin = DeviceLoginResponse;

/** The request of the program with this code. Sent once, because the service counts each request with a wrong code. */
export const deviceLoginQuery = (code: string) =>
  queryOptions({
    queryKey: keyOf('device-login', code),
    staleTime: Infinity,
    refetchInterval: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retryOnMount: false,
    queryFn: ({ signal }) => api.request('GET /login/device', { query: { user_code: code }, signal }),
  });

export const confirmDeviceLogin = (code: string, organizationId: string): Promise<undefined> =>
  api.request('POST /login/device/confirm', { query: { organization_id: organizationId }, body: { user_code: code } });

export const denyDeviceLogin = (code: string): Promise<undefined> =>
  api.request('POST /login/device/deny', { body: { user_code: code } });
