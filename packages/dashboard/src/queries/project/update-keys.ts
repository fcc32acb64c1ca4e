import { type Platform, PLATFORMS, type UpdateKeyPage, type UpdateKeyResponse } from '@agate/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../session/api';
import { type ProjectScope } from '../../session/use-project-place';
import { keyOf } from '../keys';

export type UpdateKey = UpdateKeyResponse;

const ofChannel = (scope: ProjectScope, channelId: string | null) => ({
  ...scope,
  ...(channelId !== null && { channel_id: channelId }),
});

/** The update keys of a channel, at most one for each platform. Without a channel, those of the project itself. */
export const updateKeysQuery = (scope: ProjectScope, channelId: string | null) =>
  queryOptions({
    queryKey: keyOf('update-keys', scope.project_id, channelId),
    queryFn: async ({ signal }) => {
      const keys: UpdateKey[] = [];
      let cursor: string | null = '';
      // A project's list also contains the keys of its channels.
      while (cursor !== null) {
        const query = { ...ofChannel(scope, channelId), limit: 100, cursor };
        const page: UpdateKeyPage = await api.request('GET /update-keys', { query, signal });
        keys.push(...page.items.filter((key) => key.channel_id === channelId));
        cursor = page.next_cursor;
      }
      return PLATFORMS.flatMap((platform) => keys.filter((key) => key.platform === platform));
    },
  });

export const createUpdateKey = (
  scope: ProjectScope,
  channelId: string | null,
  platform: Platform,
): Promise<UpdateKey> => api.request('POST /update-keys', { query: ofChannel(scope, channelId), body: { platform } });

export const rotateUpdateKey = (scope: ProjectScope, id: string): Promise<UpdateKey> =>
  api.request('POST /update-keys/{update_key_id}/rotate', { path: { update_key_id: id }, query: scope });

export const revokeUpdateKey = (scope: ProjectScope, id: string): Promise<undefined> =>
  api.request('DELETE /update-keys/{update_key_id}', { path: { update_key_id: id }, query: scope });
