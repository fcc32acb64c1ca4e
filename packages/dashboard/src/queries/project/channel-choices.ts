import { queryOptions } from '@tanstack/react-query';
import { api } from '../../session/api';
import { type ProjectScope } from '../../session/use-project-place';

/** Ids and names of the channels of a project, to choose one from. At most 100. */
export const channelChoicesQuery = (scope: ProjectScope) =>
  queryOptions({
    queryKey: ['channel-choices', scope.project_id],
    refetchInterval: false,
    queryFn: async ({ signal }) =>
      (await api.request('GET /channels', { query: { ...scope, limit: 100 }, signal })).items,
  });
