import { queryOptions } from '@tanstack/react-query';
import { api } from '../../session/api';
import { type ProjectScope } from '../../session/use-project-place';
import { keyOf } from '../keys';

/** The limits of a project, and how much of each is used. */
export const projectQuotasQuery = ({ organization_id, project_id }: ProjectScope) =>
  queryOptions({
    queryKey: keyOf('project-quotas', project_id),
    queryFn: async ({ signal }) =>
      (
        await api.request('GET /projects/{project_id}/quotas', {
          path: { project_id },
          query: { organization_id },
          signal,
        })
      ).quotas,
  });
