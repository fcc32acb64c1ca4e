import { queryOptions } from '@tanstack/react-query';
import { api } from '../../session/api';
import { type ProjectScope } from '../../session/use-project-place';
import { keyOf } from '../keys';

/** The latest subscribers of a channel. */
export const subscribersQuery = (scope: ProjectScope, channelId: string, limit: number) =>
  queryOptions({
    queryKey: keyOf('subscribers', channelId, limit),
    queryFn: async ({ signal }) =>
      (await api.request('GET /testers', { query: { ...scope, channel_id: channelId, limit }, signal })).items,
  });
