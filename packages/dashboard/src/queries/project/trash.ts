import { type DeletionFilterRequest, type Routes } from '@agate/client';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../session/api';
import { type ProjectScope } from '../../session/use-project-place';
import { byCursor } from '../by-cursor';
import { keyOf } from '../keys';

const PAGE = 100;
/** The number of builds that the service accepts in one request. */
const MAX_IDS = 100;

/** The deleted builds of a project, until their files are deleted. */
export const trashQuery = (scope: ProjectScope) =>
  infiniteQueryOptions({
    queryKey: keyOf('trash', scope.project_id),
    ...byCursor,
    queryFn: ({ pageParam, signal }) =>
      api.request('GET /builds', { query: { ...scope, deleted: true, limit: PAGE, cursor: pageParam }, signal }),
  });

const inParts = (ids: readonly string[]): readonly string[][] =>
  Array.from({ length: Math.ceil(ids.length / MAX_IDS) }, (_, part) => ids.slice(part * MAX_IDS, (part + 1) * MAX_IDS));

/** Restores builds with their links. Returns how many: others are not in the trash. */
export async function restoreBuilds(scope: ProjectScope, ids: readonly string[]): Promise<number> {
  let restored = 0;
  for (const part of inParts(ids))
    restored += (await api.request('POST /builds/restore', { query: scope, body: { ids: part } })).restored;
  return restored;
}

/** Deletes builds of the trash, and their files, now. Returns how many: others were restored meanwhile. */
export async function purgeBuilds(scope: ProjectScope, ids: readonly string[]): Promise<number> {
  let deleted = 0;
  for (const part of inParts(ids))
    deleted += (
      await api.request('POST /builds/delete', {
        query: scope,
        body: { ids: part, permanently: true, only_deleted: true },
      })
    ).deleted;
  return deleted;
}

/** The builds that a filter would delete. The previous ones stay while others are counted. */
export const deletionPreviewQuery = (scope: ProjectScope, filter: DeletionFilterRequest) =>
  queryOptions({
    queryKey: keyOf('deletion-preview', scope.project_id, filter),
    refetchInterval: false,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.request('POST /builds/delete/preview', { query: scope, body: { filter }, signal }),
  });

/** Deletes a part of the builds of a preview. */
export const deleteMatching = (
  scope: ProjectScope,
  filter: DeletionFilterRequest,
  fingerprint: string,
): Promise<Routes['POST /builds/delete']['response']> =>
  api.request('POST /builds/delete', { query: scope, body: { filter, fingerprint } });
