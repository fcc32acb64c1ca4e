import { queryOptions } from '@tanstack/react-query';
import { api } from '../../session/api';
import { type ProjectScope } from '../../session/use-project-place';
import { keyOf } from '../keys';

/** Enough for the builds that are current and those that they replaced. */
export const RECENT_RELEASES = 30;

/** The newest releases of all channels of a project. */
export const recentReleasesQuery = (scope: ProjectScope, limit: number) =>
  queryOptions({
    queryKey: keyOf('releases', scope.project_id, 'recent', limit),
    queryFn: async ({ signal }) => {
      const { project_id, organization_id } = scope;
      const page = await api.request('GET /projects/{project_id}/releases', {
        path: { project_id },
        query: { organization_id, limit },
        signal,
      });
      return page.items;
    },
  });
