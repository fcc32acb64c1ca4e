import { type BuildResponse, type Routes } from '@agate/client';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '../session/api';
import { type ProjectScope } from '../session/use-project-place';

export type Build = BuildResponse;
/** Filters of the list of builds, by the names of the API. */
export type BuildFilters = Pick<
  Routes['GET /builds']['query'],
  'q' | 'platform' | 'version' | 'branch' | 'warning' | 'channel_id'
>;

export const buildsQuery = (scope: ProjectScope, filters: BuildFilters = {}) =>
  infiniteQueryOptions({
    queryKey: ['builds', scope.project_id, filters],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      api.request('GET /builds', { query: { ...scope, ...filters, limit: 50, cursor: pageParam }, signal }),
    getNextPageParam: (page) => page.next_cursor,
  });

/** The platforms, branches and versions that a project's builds have. */
export const buildFacetsQuery = (scope: ProjectScope) =>
  queryOptions({
    queryKey: ['build-facets', scope.project_id],
    queryFn: ({ signal }) => api.request('GET /builds/facets', { query: scope, signal }),
  });

export const buildQuery = (scope: ProjectScope, buildId: string) =>
  queryOptions({
    queryKey: ['build', buildId],
    queryFn: ({ signal }) =>
      api.request('GET /builds/{build_id}', { path: { build_id: buildId }, query: scope, signal }),
  });

/** The newest build of a project; null while it has none. It may come from a CI system at any time. */
export const newestBuildQuery = (scope: ProjectScope) =>
  queryOptions({
    queryKey: ['newest-build', scope.project_id],
    refetchInterval: 5_000,
    queryFn: async ({ signal }) =>
      (await api.request('GET /builds', { query: { ...scope, limit: 1 }, signal })).items[0] ?? null,
  });

export const deleteBuild = (scope: ProjectScope, buildId: string): Promise<undefined> =>
  api.request('DELETE /builds/{build_id}', { path: { build_id: buildId }, query: scope });

export const updateNotes = (scope: ProjectScope, buildId: string, notes: string): Promise<Build> =>
  api.request('PATCH /builds/{build_id}', {
    path: { build_id: buildId },
    query: scope,
    body: { notes: notes || null },
  });

/** The version as people write it: 2.1.0 (210). */
export const versionOf = ({ version, build_number }: { version: string; build_number: string | null }): string =>
  build_number === null ? version : `${version} (${build_number})`;
