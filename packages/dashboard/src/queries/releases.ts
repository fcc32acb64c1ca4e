import { queryOptions } from '@tanstack/react-query';
import { api } from '../session/api';
import { type ProjectScope } from '../session/use-project-place';

/** How many testers a promotion of the build to the channel would mail. */
export const recipientsQuery = (scope: ProjectScope, buildId: string, channelId: string) =>
  queryOptions({
    queryKey: ['recipients', buildId, channelId],
    refetchInterval: false,
    queryFn: ({ signal }) =>
      api.request('GET /releases/recipients', {
        query: { ...scope, build_id: buildId, channel_id: channelId },
        signal,
      }),
  });

/** What differs between two builds of a project, from the older one (`against`) to the newer. */
export const diffQuery = (scope: ProjectScope, buildId: string, against: string) =>
  queryOptions({
    queryKey: ['diff', buildId, against],
    refetchInterval: false,
    queryFn: ({ signal }) =>
      api.request('GET /builds/{build_id}/diff', { path: { build_id: buildId }, query: { ...scope, against }, signal }),
  });

/** The queries whose answers a promotion or a withdrawal changes. */
export const RELEASE_QUERIES = ['builds', 'build', 'channels', 'channel', 'releases', 'project-summary', 'testers'];
