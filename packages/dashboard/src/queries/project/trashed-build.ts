import { type Routes } from '@agate/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../session/api';
import { type ProjectScope } from '../../session/use-project-place';
import { keyOf } from '../keys';

/** A build was uploaded within this time of the time in its id. */
const DAY_MS = 86_400_000;
const PAGE = 100;
/** Of a project that deletes thousands of builds a day, a page of the dashboard does not read all. */
const MOST_PAGES = 10;

/** The time in an id, which is a UUID of version 7, later by some days. */
const timeOf = (id: string, days: number): string =>
  new Date((parseInt(id.replaceAll('-', '').slice(0, 12), 16) || 0) + days * DAY_MS).toISOString();

/**
 * A build of the trash; null when it is not there, or not among the newest thousand of its days. The service finds no build of the trash by its
 * id, so the query lists those of its days.
 */
export const trashedBuildQuery = (scope: ProjectScope, buildId: string) =>
  queryOptions({
    queryKey: keyOf('trash', scope.project_id, buildId),
    queryFn: async ({ signal }) => {
      const query = { ...scope, deleted: true, from: timeOf(buildId, -1), to: timeOf(buildId, 1), limit: PAGE };
      let cursor: string | null = '';
      for (let pages = 0; cursor !== null && pages < MOST_PAGES; pages++) {
        const page: Routes['GET /builds']['response'] = await api.request('GET /builds', {
          query: { ...query, cursor },
          signal,
        });
        const found = page.items.find(({ id }) => id === buildId.toLowerCase());
        if (found) return found;
        cursor = page.next_cursor;
      }
      return null;
    },
  });
