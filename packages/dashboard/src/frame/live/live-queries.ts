import { type EventResponse } from '@agate/client';
import { type QueryKey } from '@tanstack/react-query';

/** The queries that a change of a noun concerns although their keys have none of its ids. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  build: ['build', 'channel', 'releases', 'funnel', 'tester-downloads'],
  channel: ['build', 'recipients', 'tester'],
  release: ['build', 'channel', 'releases', 'recipients', 'tester'],
  tester: ['tester', 'subscribers', 'recipients', 'channel', 'funnel', 'build-downloads'],
  testers: ['tester', 'subscribers', 'recipients', 'channel', 'funnel'],
};
/** Changes of these nouns are changes of the organization: they concern every query whose key has its id. */
const OF_ORGANIZATION = ['organization', 'member', 'invitation', 'billing', 'byosa', 'project', 'project_member'];
/** Changes of these nouns change counts and latest builds in the list of projects. */
const IN_PROJECTS = ['build', 'channel', 'release', 'tester', 'testers'];
/** Changes of these nouns change the organizations of the session, or the roles in them. */
const IN_SESSION = ['organization.created', 'organization.updated', 'member.roles_changed'];

/** The ids of an event, the one of what changed last. */
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

/** Whether something with a screen of its own was deleted. */
export const isGone = ({ type }: EventResponse): boolean =>
  ['build.deleted', 'channel.deleted', 'tester.erased', 'project.deleted'].includes(type);

/** Whether events that arrived together change the answer of a query, by its key. */
export function isConcernedByAny(key: QueryKey, events: readonly EventResponse[], organizationId: string): boolean {
  // The screen of what was deleted does not ask for it again: see LiveChanges.
  if (events.some((event) => isGone(event) && key[1] === idsOf(event).at(-1))) return false;
  return events.some((event) => isConcerned(key, event, organizationId));
}

/** Whether an event changes the answer of a query, by its key. A query too many is asked again; none is forgotten. */
function isConcerned(key: QueryKey, event: EventResponse, organizationId: string): boolean {
  const [head = '', ...rest] = key;
  const [noun = ''] = event.type.split('.');
  if (head === 'session') return IN_SESSION.includes(event.type);
  if (head === 'projects') return rest[0] === organizationId && [...IN_PROJECTS, ...OF_ORGANIZATION].includes(noun);
  if (rest.includes(organizationId)) return OF_ORGANIZATION.includes(noun) || !(noun in ALSO);
  if (idsOf(event).some((id) => rest.includes(id))) return true;
  return (ALSO[noun] ?? []).includes(String(head));
}
