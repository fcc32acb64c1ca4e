import { type ListedProjectResponse } from '@agate/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type AuditEvent, auditFacetsQuery } from '../../queries/organization/audit';
import { memberChoicesQuery } from '../../queries/organization/members';
import { projectsQuery } from '../../queries/organization/projects';
import { useTexts } from '../../words/words-provider';
import { type EventTexts, type KnownNames, labelOf, partsOf, sentenceOf, versionIn } from './sentence-of';
import { useAuditPlace } from './use-audit-place';

interface Named {
  readonly id: string;
  readonly name: string;
}

const itself = (project: ListedProjectResponse): readonly Named[] => [project];
const channelsIn = ({ summary }: ListedProjectResponse): readonly Named[] => summary?.channels ?? [];

export interface EventReader {
  readonly label: (type: string) => string;
  readonly sentence: (event: AuditEvent) => string;
  /** The sentence in parts, each second of which is a name. */
  readonly parts: (event: AuditEvent) => readonly string[];
  /** The name of the actor, for a member without a name the e-mail address. */
  readonly actor: (actor: AuditEvent['actor']) => string;
  /** The name of the actor with what tells two of one name apart: the e-mail address. */
  readonly wholeActor: (actor: AuditEvent['actor']) => string;
  /** The name of a project; undefined when it was deleted or is hidden from the reader. */
  readonly project: (id: string) => string | undefined;
}

/** Writes events in the language of the page, and replaces ids by the names that the reader may know. */
export function useEventReader(events: readonly AuditEvent[]): EventReader {
  const { language, words } = useTexts();
  const { audit, roles, builds } = words;
  const names = useKnownNames(events);
  const projects = useProjectNames();
  const memberNames = useMemberNames();
  return useMemo(() => {
    const texts: EventTexts = { language, events: audit.events, roles, platforms: builds.platforms };
    const actorOf = ({ kind, label }: AuditEvent['actor']): string => {
      if (kind === 'developer') return label === null || label === 'erased' ? audit.deletedAccount : label;
      return kind === 'project_access_token' && label !== null
        ? `${label} (${audit.actors[kind]})`
        : audit.actors[kind];
    };
    const memberOf = ({ kind, id }: AuditEvent['actor']): string | undefined =>
      kind === 'developer' && id !== null ? memberNames.get(id) : undefined;
    return {
      label: (type) => labelOf(type, texts),
      sentence: (event) => sentenceOf(event, texts, names),
      parts: (event) => partsOf(event, texts, names),
      actor: (actor) => memberOf(actor) ?? actorOf(actor),
      wholeActor: (actor) => {
        const name = memberOf(actor);
        return name === undefined ? actorOf(actor) : `${name} (${actorOf(actor)})`;
      },
      project: (id) => projects.get(id),
    };
  }, [language, audit, roles, builds, names, projects, memberNames]);
}

/** The names of members who gave one, by the ids of their accounts. */
function useMemberNames(): ReadonlyMap<string, string> {
  const { organizationId } = useAuditPlace();
  const { data: members } = useQuery(memberChoicesQuery(organizationId));
  return useMemo(
    () => new Map(members?.flatMap(({ developer_id: id, name }) => (name === null ? [] : [[id, name] as const]))),
    [members],
  );
}

/** The names of the projects that the reader may see. */
export const useProjectNames = (): ReadonlyMap<string, string> => useNames(itself);

/** Ids with their names, for all listed projects. */
function useNames(namesIn: (project: ListedProjectResponse) => readonly Named[]): ReadonlyMap<string, string> {
  const { organizationId } = useAuditPlace();
  const { data } = useInfiniteQuery(projectsQuery(organizationId));
  return useMemo(
    () => new Map(data?.pages.flatMap(({ items }) => items.flatMap(namesIn)).map(({ id, name }) => [id, name])),
    [data, namesIn],
  );
}

function useKnownNames(events: readonly AuditEvent[]): KnownNames {
  const { organizationId, filter } = useAuditPlace();
  const { data: members } = useQuery(memberChoicesQuery(organizationId));
  const { data: facets } = useQuery(auditFacetsQuery(organizationId, filter.day));
  const channels = useNames(channelsIn);
  return useMemo(() => {
    const people = new Map<string, string>();
    for (const { actor } of facets?.actors ?? []) {
      if (actor.kind === 'developer' && actor.id && actor.label) people.set(actor.id, actor.label);
    }
    for (const { developer_id: id, email } of members ?? []) people.set(id, email);
    const builds = new Map<string, string>();
    for (const { payload } of events) {
      const version = versionIn(payload);
      if (version && typeof payload['build_id'] === 'string') builds.set(payload['build_id'], version);
    }
    return { people, builds, channels };
  }, [events, members, facets, channels]);
}
