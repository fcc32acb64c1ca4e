import { type ChannelResponse, type Routes, type TesterResponse, type TesterState } from '@agate/client';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '../../session/api';
import { type ProjectScope } from '../../session/use-project-place';
import { byCursor } from '../by-cursor';
import { PACE } from '../client';
import { keyOf } from '../keys';

export type Tester = TesterResponse;
/** Filters of the list of testers, by the names of the API. */
export type TesterFilters = Pick<Routes['GET /testers']['query'], 'q' | 'channel_id' | 'state'>;

export const TESTER_STATES: readonly TesterState[] = [
  'added',
  'invited',
  'opened',
  'has_current',
  'behind',
  'left',
  'bounced',
];

export const testersQuery = (scope: ProjectScope, filters: TesterFilters = {}) =>
  infiniteQueryOptions({
    queryKey: keyOf('testers', scope.project_id, filters),
    refetchInterval: PACE.counts,
    ...byCursor,
    queryFn: ({ pageParam, signal }) =>
      api.request('GET /testers', { query: { ...scope, ...filters, limit: 50, cursor: pageParam }, signal }),
  });

export const testerQuery = (scope: ProjectScope, testerId: string) =>
  queryOptions({
    queryKey: keyOf('tester', testerId),
    refetchInterval: PACE.counts,
    queryFn: ({ signal }) =>
      api.request('GET /testers/{tester_id}', { path: { tester_id: testerId }, query: scope, signal }),
  });

/** The downloads through the links of a tester, newest first. Needs the role MANAGE_TESTERS. */
export const testerDownloadsQuery = (scope: ProjectScope, testerId: string) =>
  infiniteQueryOptions({
    queryKey: keyOf('tester-downloads', testerId),
    refetchInterval: PACE.details,
    ...byCursor,
    queryFn: ({ pageParam, signal }) =>
      api.request('GET /testers/{tester_id}/downloads', {
        path: { tester_id: testerId },
        query: { ...scope, limit: 50, cursor: pageParam },
        signal,
      }),
  });

const MAX_IDS = 1000;

/** Subscribes testers to channels. Returns the ids of testers who unsubscribed from one of them: their subscription does not change. */
export async function subscribeToChannels(
  scope: ProjectScope,
  channelIds: readonly string[],
  testerIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const left = new Set<string>();
  for (const channelId of channelIds) {
    for (let start = 0; start < testerIds.length; start += MAX_IDS) {
      const { testers } = await api.request('PUT /channels/{channel_id}/subscribers', {
        path: { channel_id: channelId },
        query: scope,
        body: { add: testerIds.slice(start, start + MAX_IDS) },
      });
      testers.filter(({ outcome }) => outcome === 'suppressed').forEach(({ id }) => left.add(id));
    }
  }
  return left;
}

/** The state of a tester in a channel. `left`: they unsubscribed; only they can subscribe again. */
export function subscriptionOf(tester: Tester, { id }: Pick<ChannelResponse, 'id'>): 'subscribed' | 'left' | 'none' {
  if (tester.declined) return 'left';
  const state = tester.subscriptions.find(({ channel_id }) => channel_id === id)?.state;
  if (state === undefined) return 'none';
  return state === 'subscribed' ? 'subscribed' : 'left';
}

/** The newest builds, for the choice of the build that an invitation's link opens. */
export const invitationBuildsQuery = (scope: ProjectScope) =>
  queryOptions({
    queryKey: keyOf('invitation-builds', scope.project_id),
    refetchInterval: false,
    queryFn: async ({ signal }) =>
      (await api.request('GET /builds', { query: { ...scope, installable: true, limit: 20 }, signal })).items,
  });
