import { queryOptions } from '@tanstack/react-query';
import { api } from '../session/api';

/** Ids and names of the channels of a project, to choose one from. At most 100. */
export const channelChoicesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['channel-choices', projectId],
    refetchInterval: false,
    queryFn: async ({ signal }) =>
      (await api.request('GET /channels', { query: { project_id: projectId, limit: 100 }, signal })).items,
  });
