import {
  type BulkTestersRequest,
  type BulkTestersResponse,
  type ChannelResponse,
  type Routes,
  type TesterResponse,
  type TesterState,
} from '@agate/client';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '../../session/api';
import { type ProjectScope } from '../../session/use-project-place';
import { byCursor } from '../by-cursor';
import { PACE } from '../client';
import { keyOf } from '../keys';
import { filledPage } from './builds';

export type Tester = TesterResponse;
/** Filters of the list of testers, by the names of the API. */
export type TesterFilters = Pick<
  Routes['GET /testers']['query'],
  'q' | 'channel_id' | 'state' | 'has_not' | 'release_id' | 'build_id' | 'adoption'
>;

export const TESTER_STATES: readonly TesterState[] = [
  'added',
  'invited',
  'opened',
  'has_current',
  'behind',
  'left',
  'bounced',
];

const FIRST_PAGE = 50;
/** A list is loaded further by people who want much of it. */
const NEXT_PAGE = 200;
/** With more pages, the list is loaded again after changes only. */
const REFETCHED_PAGES = 3;

interface Loaded {
  readonly state: { readonly data?: { readonly pages: readonly unknown[] } | undefined };
}

export const testersQuery = (scope: ProjectScope, filters: TesterFilters = {}) =>
  infiniteQueryOptions({
    queryKey: keyOf('testers', scope.project_id, filters),
    refetchInterval: ({ state }: Loaded) => (state.data?.pages.length ?? 0) <= REFETCHED_PAGES && PACE.counts(),
    ...byCursor,
    queryFn: ({ pageParam, signal }) =>
      api.request('GET /testers', {
        query: { ...scope, ...filters, limit: pageParam === '' ? FIRST_PAGE : NEXT_PAGE, cursor: pageParam },
        signal,
      }),
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

/** Testers in one request of `actOnTesters`. */
const MAX_ACTED_ON = 100;

/**
 * Does the same for several testers, in as many requests as the service needs. A failure leaves what was done before.
 * @param onDone called with the testers of each request that succeeded, and its response.
 */
export async function actOnTesters(
  scope: ProjectScope,
  act: Omit<BulkTestersRequest, 'tester_ids'>,
  testerIds: readonly string[],
  onDone?: (testerIds: readonly string[], outcome: BulkTestersResponse) => void,
): Promise<BulkTestersResponse> {
  let done = 0;
  const skipped: BulkTestersResponse['skipped'][number][] = [];
  for (let start = 0; start < testerIds.length; start += MAX_ACTED_ON) {
    const body = { ...act, tester_ids: testerIds.slice(start, start + MAX_ACTED_ON) };
    const outcome = await api.request('POST /testers/bulk', { query: scope, body });
    done += outcome.done;
    skipped.push(...outcome.skipped);
    onDone?.(body.tester_ids, outcome);
  }
  return { done, skipped };
}

/** The ids of testers after a change of their subscriptions. */
export interface Subscribed {
  /** Testers who were not subscribed to one of the channels before. */
  readonly subscribed: ReadonlySet<string>;
  /** Testers who unsubscribed from one of the channels: their subscription does not change. */
  readonly left: ReadonlySet<string>;
}

/** Subscribes testers to channels. */
export async function subscribeToChannels(
  scope: ProjectScope,
  channelIds: readonly string[],
  testerIds: readonly string[],
): Promise<Subscribed> {
  const [subscribed, left] = [new Set<string>(), new Set<string>()];
  for (const channelId of channelIds) {
    for (let start = 0; start < testerIds.length; start += MAX_IDS) {
      const { testers } = await api.request('PUT /channels/{channel_id}/subscribers', {
        path: { channel_id: channelId },
        query: scope,
        body: { add: testerIds.slice(start, start + MAX_IDS) },
      });
      const idsOf = (wanted: string): string[] => testers.flatMap(({ id, outcome }) => (outcome === wanted ? id : []));
      idsOf('suppressed').forEach((id) => left.add(id));
      idsOf('subscribed').forEach((id) => subscribed.add(id));
    }
  }
  return { subscribed, left };
}

/** The state of a tester in a channel. `left`: they unsubscribed; only they can subscribe again. */
export function subscriptionOf(tester: Tester, { id }: Pick<ChannelResponse, 'id'>): 'subscribed' | 'left' | 'none' {
  if (tester.declined) return 'left';
  const state = tester.subscriptions.find(({ channel_id }) => channel_id === id)?.state;
  if (state === undefined) return 'none';
  return state === 'subscribed' ? 'subscribed' : 'left';
}

/** The number of builds that an invitation offers. */
const OFFERED_BUILDS = 20;

/** The newest builds that can be installed, for the choice of the build that an invitation's link opens. */
export const invitationBuildsQuery = (scope: ProjectScope) =>
  queryOptions({
    queryKey: keyOf('invitation-builds', scope.project_id),
    refetchInterval: false,
    queryFn: async ({ signal }) => {
      const query = { ...scope, installable: true, limit: OFFERED_BUILDS };
      const read = (cursor: string) => api.request('GET /builds', { query: { ...query, cursor }, signal });
      return (await filledPage('', read, OFFERED_BUILDS)).items;
    },
  });
