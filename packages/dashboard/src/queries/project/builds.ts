import { type BuildResponse, type Routes } from '@agate/client';
import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  usePrefetchInfiniteQuery,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../../session/api';
import { type ProjectScope } from '../../session/use-project-place';
import { byCursor } from '../by-cursor';
import { changes, PACE } from '../client';
import { keyOf } from '../keys';

export type Build = BuildResponse;
/** Filters of the list of builds, by the names of the API. */
export type BuildFilters = Pick<
  Routes['GET /builds']['query'],
  'q' | 'sha256' | 'platform' | 'version' | 'branch' | 'warning' | 'has_warnings' | 'installable' | 'channel_id'
>;

type Page = Routes['GET /builds']['response'];

const PAGE = 50;
/** Builds of which a list is not short. */
const ENOUGH = PAGE / 2;
const MAX_REQUESTS = 4;

/** Reads further pages while a page is short: some filters leave out most builds of a page although more follow. */
export async function filledPage(
  cursor: string,
  read: (cursor: string) => Promise<Page>,
  enough = ENOUGH,
): Promise<Page> {
  let page = await read(cursor);
  for (let asked = 1; asked < MAX_REQUESTS && page.items.length < enough && page.next_cursor !== null; asked++) {
    const { items, next_cursor } = await read(page.next_cursor);
    page = { items: [...page.items, ...items], next_cursor };
  }
  return page;
}

export const buildsQuery = (scope: ProjectScope, filters: BuildFilters = {}) =>
  infiniteQueryOptions({
    queryKey: keyOf('builds', scope.project_id, filters),
    ...byCursor,
    queryFn: ({ pageParam, signal }) => {
      const read = (cursor: string): Promise<Page> =>
        api.request('GET /builds', { query: { ...scope, ...filters, limit: PAGE, cursor }, signal });
      return pageParam === '' ? read('') : filledPage(pageParam, read);
    },
    // A refetch requests each loaded page again.
    refetchInterval: ({ state }) => (state.data !== undefined && state.data.pages.length > 1 ? false : PACE.counts()),
  });

/** The builds that meet the filters. What the first request finds is shown immediately. While it is little, the list continues. */
export function useBuilds(scope: ProjectScope, filters: BuildFilters) {
  const query = buildsQuery(scope, filters);
  // The request is sent before the older rows are rendered again, not after.
  usePrefetchInfiniteQuery(query);
  const list = useInfiniteQuery({ ...query, placeholderData: keepPreviousData });
  const { data, hasNextPage, isFetching, isPlaceholderData, isFetchNextPageError, fetchNextPage } = list;
  const pages = data?.pages ?? [];
  const isShort = pages.length === 1 && pages[0]!.items.length < ENOUGH && hasNextPage;
  const continues = isShort && !isFetching && !isPlaceholderData && !isFetchNextPageError;
  useEffect(() => {
    if (continues) void fetchNextPage();
  }, [continues, fetchNextPage]);
  return list;
}

/** The previous build of the same platform; null without one. */
export const buildBeforeQuery = (scope: ProjectScope, { id, platform, uploaded_at }: Build) =>
  queryOptions({
    queryKey: keyOf('build-before', id),
    refetchInterval: false,
    queryFn: async ({ signal }) => {
      const query = { ...scope, platform, to: uploaded_at, limit: 3 };
      const { items } = await api.request('GET /builds', { query, signal });
      return items.find((build) => build.id !== id) ?? null;
    },
  });

/** The platforms, branches and versions that a project's builds have. */
export const buildFacetsQuery = (scope: ProjectScope) =>
  queryOptions({
    queryKey: keyOf('build-facets', scope.project_id),
    queryFn: ({ signal }) => api.request('GET /builds/facets', { query: scope, signal }),
  });

export const buildQuery = (scope: ProjectScope, buildId: string) =>
  queryOptions({
    queryKey: keyOf('build', buildId),
    refetchInterval: PACE.counts,
    queryFn: ({ signal }) =>
      api.request('GET /builds/{build_id}', { path: { build_id: buildId }, query: scope, signal }),
  });

/** The newest build of a project; null while it has none. A CI system may upload it at any time. */
export const newestBuildQuery = (scope: ProjectScope) =>
  queryOptions({
    queryKey: keyOf('newest-build', scope.project_id),
    refetchInterval: () => (changes.areLive ? PACE.counts() : 5_000),
    queryFn: async ({ signal }) =>
      (await api.request('GET /builds', { query: { ...scope, limit: 1 }, signal })).items[0] ?? null,
  });

export const deleteBuild = (scope: ProjectScope, buildId: string): Promise<unknown> =>
  api.request('DELETE /builds/{build_id}', { path: { build_id: buildId }, query: scope });

export type Deletion = Routes['POST /builds/delete']['response']['builds'][number];

const MAX_DELETIONS = 100;

/** Moves builds to the trash. Returns the outcome of each: builds that are pinned or current in a channel stay. */
export async function deleteBuilds(scope: ProjectScope, ids: readonly string[]): Promise<readonly Deletion[]> {
  const deletions: Deletion[] = [];
  for (let from = 0; from < ids.length; from += MAX_DELETIONS) {
    const body = { ids: ids.slice(from, from + MAX_DELETIONS) };
    deletions.push(...(await api.request('POST /builds/delete', { query: scope, body })).builds);
  }
  return deletions;
}

export const updateNotes = (scope: ProjectScope, buildId: string, notes: string): Promise<Build> =>
  api.request('PATCH /builds/{build_id}', {
    path: { build_id: buildId },
    query: scope,
    body: { notes: notes || null },
  });

/** Keeps a build from being deleted, or ends that. */
export const pinBuild = (scope: ProjectScope, buildId: string, pinned: boolean): Promise<Build> =>
  api.request('PATCH /builds/{build_id}', { path: { build_id: buildId }, query: scope, body: { pinned } });

/** The version in its usual form: 2.1.0 (210). */
export const versionOf = ({ version, build_number }: { version: string; build_number: string | null }): string =>
  build_number === null ? version : `${version} (${build_number})`;
