import { type DeviceResponse, type Routes } from '@agate/client';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '../../session/api';
import { type ProjectScope } from '../../session/use-project-place';
import { PACE } from '../client';
import { keyOf } from '../keys';

export type Device = DeviceResponse;
/** Filters of the list of devices, by the names of the API. */
export type DeviceFilters = Pick<Routes['GET /devices']['query'], 'provisioned' | 'registered'>;

export const devicesQuery = (scope: ProjectScope, filters: DeviceFilters) =>
  infiniteQueryOptions({
    queryKey: keyOf('devices', scope.project_id, filters),
    refetchInterval: PACE.counts,
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      api.request('GET /devices', { query: { ...scope, ...filters, limit: 100, cursor: pageParam }, signal }),
    getNextPageParam: (page) => page.next_cursor,
  });

/** The known devices on which a build can be installed. */
export const buildDevicesQuery = (scope: ProjectScope, buildId: string) =>
  queryOptions({
    queryKey: keyOf('build-devices', buildId),
    refetchInterval: PACE.details,
    queryFn: ({ signal }) =>
      api.request('GET /builds/{build_id}/devices', { path: { build_id: buildId }, query: scope, signal }),
  });

/** The label of a device: its name, else its model. */
export const labelOf = ({ name, model }: Pick<Device, 'name' | 'model'>): string | null => name ?? model;
