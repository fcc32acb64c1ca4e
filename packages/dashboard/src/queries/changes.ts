import { type EventResponse } from '@agate/client';
import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type QueryName } from './keys';

/** The queries that depend on a noun although their keys contain none of its ids. */
const ALSO: Readonly<Record<string, readonly QueryName[]>> = {
  build: ['build', 'build-adoption', 'build-before', 'channel', 'releases', 'funnel', 'tester-downloads'],
  channel: ['build', 'recipients', 'tester'],
  release: ['build', 'build-adoption', 'channel', 'releases', 'recipients', 'tester'],
  device: ['build-devices'],
  devices: ['build-devices'],
  tester: ['tester', 'subscribers', 'recipients', 'channel', 'funnel', 'build-adoption', 'build-downloads'],
  testers: ['tester', 'subscribers', 'recipients', 'channel', 'funnel', 'build-adoption'],
  member: ['project-members'],
};
/** Changes of these nouns affect no query of the organization, except the list of projects, which has counts and latest builds. */
const OF_PROJECT = ['build', 'channel', 'device', 'devices', 'release', 'tester', 'testers', 'link'];
/** Changes of these nouns are changes of the organization: they affect every query whose key contains its id. */
const OF_ORGANIZATION = ['organization', 'member', 'invitation', 'billing', 'byosa', 'project', 'project_member'];
/** Changes of these nouns change the organizations of the session, or the roles in them. */
const IN_SESSION = ['organization.created', 'organization.updated', 'member.roles_changed'];

/**
 * The key of mutations that delete what the screen shows, and end when it is left. Until then nothing is refetched: the screen would request
 * the deleted object and show that it was not found.
 */
export const LEAVING = ['leaving'] as const;

/** The ids in an event. The last one identifies the changed object. */
export const idsOf = (event: EventResponse): readonly string[] =>
  [
    event.project_id,
    event.channel_id,
    event.build_id,
    event.release_id,
    event.tester_id,
    event.token_id,
    event.upload_id,
    event.invitation_id,
    event.developer_id,
  ].filter((id) => id !== undefined);

/** Whether an object with its own screen was deleted. */
export const isGone = ({ type }: EventResponse): boolean =>
  ['build.deleted', 'channel.deleted', 'tester.erased', 'project.deleted'].includes(type);

/** Whether events that arrived together affect a query, by its key. */
export function isConcernedByAny(key: QueryKey, events: readonly EventResponse[], organizationId: string): boolean {
  // The screen of the deleted object does not request it again: see LiveChanges.
  if (events.some((event) => isGone(event) && key[1] === idsOf(event).at(-1))) return false;
  return events.some((event) => isConcerned(key, event, organizationId));
}

/** Whether an event affects a query, by its key. Some queries are refetched unnecessarily; none is missed. */
function isConcerned(key: QueryKey, event: EventResponse, organizationId: string): boolean {
  const [head = '', ...rest] = key;
  const [noun = ''] = event.type.split('.');
  if (head === 'session') return IN_SESSION.includes(event.type);
  if (head === 'projects') return rest[0] === organizationId && [...OF_PROJECT, ...OF_ORGANIZATION].includes(noun);
  if (rest.includes(organizationId)) return !OF_PROJECT.includes(noun);
  if (idsOf(event).some((id) => rest.includes(id))) return true;
  return ALSO[noun]?.includes(head as QueryName) ?? false;
}

/** Refetches what events that arrived together affect. */
export const refetchAfter = (
  queryClient: QueryClient,
  organizationId: string,
  events: readonly EventResponse[],
): Promise<void> =>
  queryClient.invalidateQueries({ predicate: ({ queryKey }) => isConcernedByAny(queryKey, events, organizationId) });

/**
 * Returns a function that refetches what changes of this page affect, as if the events had arrived from the service. The organization and
 * the project are those of the address.
 */
export function useChanged(): (...events: readonly EventResponse[]) => Promise<void> {
  const { org = '', project } = useParams({ strict: false });
  const queryClient = useQueryClient();
  const inProject = project === undefined ? {} : { project_id: project };
  return (...events) =>
    refetchAfter(
      queryClient,
      org,
      events.map((event) => ({ ...inProject, ...event })),
    );
}
