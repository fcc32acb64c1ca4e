import { type ChannelResponse } from '@agate/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../session/api';
import { type ProjectScope } from '../../session/use-project-place';
import { keyOf } from '../keys';

export type Channel = ChannelResponse;

/** All channels of a project with their current releases. A project has few channels. */
export const channelsQuery = (scope: ProjectScope) =>
  queryOptions({
    queryKey: keyOf('channels', scope.project_id),
    queryFn: async ({ signal }) =>
      (await api.request('GET /channels', { query: { ...scope, limit: 100 }, signal })).items,
  });

export const channelQuery = (scope: ProjectScope, channelId: string) =>
  queryOptions({
    queryKey: keyOf('channel', channelId),
    queryFn: ({ signal }) =>
      api.request('GET /channels/{channel_id}', { path: { channel_id: channelId }, query: scope, signal }),
  });

export const createChannel = (scope: ProjectScope, name: string): Promise<Channel> =>
  api.request('POST /channels', { query: scope, body: { name } });

export const renameChannel = (scope: ProjectScope, channelId: string, name: string): Promise<Channel> =>
  api.request('PATCH /channels/{channel_id}', { path: { channel_id: channelId }, query: scope, body: { name } });

export const replaceChannelLink = (scope: ProjectScope, channelId: string): Promise<Channel> =>
  api.request('POST /channels/{channel_id}/rotate-link', { path: { channel_id: channelId }, query: scope });

export const deleteChannel = (scope: ProjectScope, channelId: string): Promise<undefined> =>
  api.request('DELETE /channels/{channel_id}', { path: { channel_id: channelId }, query: scope });
