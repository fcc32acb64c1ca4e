import { type ReleaseResponse } from '@agate/client';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '../../session/api';
import { type ProjectScope } from '../../session/use-project-place';
import { byCursor } from '../by-cursor';
import { keyOf } from '../keys';

export type Release = ReleaseResponse;

/** The releases of a channel, newest first. */
export const releasesQuery = (scope: ProjectScope, channelId: string) =>
  infiniteQueryOptions({
    queryKey: keyOf('releases', channelId),
    ...byCursor,
    queryFn: ({ pageParam, signal }) =>
      api.request('GET /releases', {
        query: { ...scope, channel_id: channelId, limit: 50, cursor: pageParam },
        signal,
      }),
  });

/** The two newest releases of a platform in a channel: the current one, and the one that its withdrawal makes current. */
export const newestReleasesQuery = (scope: ProjectScope, { channel_id, platform }: Release) =>
  queryOptions({
    queryKey: keyOf('releases', channel_id, platform),
    queryFn: async ({ signal }) =>
      (await api.request('GET /releases', { query: { ...scope, channel_id, platform, limit: 2 }, signal })).items,
  });

export const withdrawRelease = (scope: ProjectScope, { id, channel_id }: Release): Promise<undefined> =>
  api.request('DELETE /releases/{release_id}', { path: { release_id: id }, query: { ...scope, channel_id } });

/** Takes a promotion back within a minute, before its mails go out. */
export const undoPromotion = (scope: ProjectScope, { id, channel_id }: Pick<Release, 'id' | 'channel_id'>) =>
  api.request('POST /releases/{release_id}/undo', { path: { release_id: id }, query: { ...scope, channel_id } });

/** The number of testers whom a promotion of the build to the channel would mail. */
export const recipientsQuery = (scope: ProjectScope, buildId: string, channelId: string) =>
  queryOptions({
    queryKey: keyOf('recipients', buildId, channelId),
    refetchInterval: false,
    queryFn: ({ signal }) =>
      api.request('GET /releases/recipients', {
        query: { ...scope, build_id: buildId, channel_id: channelId },
        signal,
      }),
  });

/** The differences between two builds of a project, from the older one (`against`) to the newer. */
export const diffQuery = (scope: ProjectScope, buildId: string, against: string) =>
  queryOptions({
    queryKey: keyOf('diff', buildId, against),
    refetchInterval: false,
    queryFn: ({ signal }) =>
      api.request('GET /builds/{build_id}/diff', { path: { build_id: buildId }, query: { ...scope, against }, signal }),
  });
