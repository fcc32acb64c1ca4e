import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '../../session/api';
import { type ProjectScope } from '../../session/use-project-place';
import { byCursor } from '../by-cursor';
import { PACE } from '../client';
import { keyOf } from '../keys';

interface DownloadFilter {
  readonly build_id?: string;
  readonly channel_id?: string;
}

/** Downloads by day, of the last 30 days by default. */
export const dailyDownloadsQuery = (scope: ProjectScope, filter: DownloadFilter = {}) =>
  queryOptions({
    queryKey: keyOf('downloads-daily', scope.project_id, filter),
    refetchInterval: PACE.details,
    queryFn: ({ signal }) =>
      api.request('GET /projects/{project_id}/downloads/daily', {
        path: { project_id: scope.project_id },
        query: { organization_id: scope.organization_id, ...filter },
        signal,
      }),
  });

/** The installations that reported to run a build, and the steps from mail to download. */
export const funnelQuery = (scope: ProjectScope, buildId: string) =>
  queryOptions({
    queryKey: keyOf('funnel', buildId),
    refetchInterval: PACE.details,
    queryFn: ({ signal }) =>
      api.request('GET /builds/{build_id}/funnel', { path: { build_id: buildId }, query: scope, signal }),
  });

/** The downloads of a build, newest first. */
export const buildDownloadsQuery = (scope: ProjectScope, buildId: string) =>
  infiniteQueryOptions({
    queryKey: keyOf('build-downloads', buildId),
    refetchInterval: PACE.details,
    ...byCursor,
    queryFn: ({ pageParam, signal }) =>
      api.request('GET /builds/{build_id}/downloads', {
        path: { build_id: buildId },
        query: { ...scope, limit: 50, cursor: pageParam },
        signal,
      }),
  });
