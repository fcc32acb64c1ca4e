import { queryOptions } from '@tanstack/react-query';
import { api } from '../../session/api';
import { type ProjectScope } from '../../session/use-project-place';
import { keyOf } from '../keys';

/** An id is made when its build is uploaded; those of older versions of the service, some seconds earlier at most. */
const [EARLIER_MS, LATER_MS] = [1_000, 10_000];
/** The largest page: a project does not get so many builds in these seconds. */
const LIMIT = 100;

/** The time in an id, which is a UUID of version 7, and some milliseconds. */
const timeOf = (id: string, plusMs: number): string =>
  new Date((parseInt(id.replaceAll('-', '').slice(0, 12), 16) || 0) + plusMs).toISOString();

/** A build of the trash; null when it is not there. The service finds no build of the trash by its id, so the query lists those of its time. */
export const trashedBuildQuery = (scope: ProjectScope, buildId: string) =>
  queryOptions({
    queryKey: keyOf('trash', scope.project_id, buildId),
    queryFn: async ({ signal }) => {
      const [from, to] = [timeOf(buildId, -EARLIER_MS), timeOf(buildId, LATER_MS)];
      const { items } = await api.request('GET /builds', {
        query: { ...scope, deleted: true, from, to, limit: LIMIT },
        signal,
      });
      return items.find(({ id }) => id === buildId.toLowerCase()) ?? null;
    },
  });
