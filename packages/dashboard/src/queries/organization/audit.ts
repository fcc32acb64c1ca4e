import { type AuditDayResponse, type AuditEventResponse, type AuditEventType } from '@agate/client';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, patientApi } from '../../session/api';
import { byCursor } from '../by-cursor';
import { keyOf } from '../keys';

export type AuditEvent = AuditEventResponse;

/** The filter of the listed audit events. A blank filter matches all events. */
export interface AuditFilter {
  /** The day in UTC. */
  readonly day: string;
  readonly type?: string;
  /** The id of an actor, or `operator`, `service`, `anonymous`. */
  readonly actor?: string;
  readonly ip?: string;
  readonly project_id?: string;
}

const asQuery = (filter: AuditFilter) => ({ ...filter, type: filter.type as AuditEventType | undefined });

/** The current day of the audit feed, which counts days in UTC. */
export const today = (): string => new Date().toISOString().slice(0, 10);

/** The events of a day, newest first. A past day does not change. */
export const auditDayQuery = (organizationId: string, filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: keyOf('audit', organizationId, filter),
    ...byCursor,
    ...(filter.day < today() && { refetchInterval: false as const }),
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam, signal }) =>
      api.request('GET /audit/organization/{organization_id}', {
        path: { organization_id: organizationId },
        query: { ...asQuery(filter), limit: 50, cursor: pageParam },
        signal,
      }),
  });

/** The types and actors of the 31 days up to a day. */
export const auditFacetsQuery = (organizationId: string, day: string) =>
  queryOptions({
    queryKey: keyOf('audit-facets', organizationId, day),
    refetchInterval: false,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      api.request('GET /audit/organization/{organization_id}/facets', {
        path: { organization_id: organizationId },
        query: { to: day },
        signal,
      }),
  });

const TRASH_MS = 8 * 86_400_000;

/** The latest deletions of builds of a project that may still be in its trash. */
export const deletionEventsQuery = (organizationId: string, projectId: string) =>
  queryOptions({
    queryKey: keyOf('deletion-events', projectId),
    queryFn: async ({ signal }) => {
      const from = new Date(Date.now() - TRASH_MS).toISOString();
      const { events } = await api.request('GET /audit/organization/{organization_id}', {
        path: { organization_id: organizationId },
        query: { from, type: 'build.deleted', project_id: projectId, limit: 100 },
        signal,
      });
      return events;
    },
  });

/** The events of a day as CSV. */
export const exportDay = (organizationId: string, filter: AuditFilter): Promise<string> =>
  api.request('GET /audit/organization/{organization_id}/export.csv', {
    path: { organization_id: organizationId },
    query: asQuery(filter),
  });

const EXPORT_PAGE = 1000;

/** All events of a day. @param onCount is called with the number of events after each page. */
export async function readDay(
  organizationId: string,
  filter: AuditFilter,
  onCount: (count: number) => void,
): Promise<readonly AuditEvent[]> {
  const events: AuditEvent[] = [];
  let cursor: string | null | undefined = '';
  do {
    const page: AuditDayResponse = await patientApi.request('GET /audit/organization/{organization_id}', {
      path: { organization_id: organizationId },
      query: { ...asQuery(filter), limit: EXPORT_PAGE, cursor },
    });
    events.push(...page.events);
    onCount(events.length);
    cursor = page.next_cursor;
  } while (cursor);
  return events;
}
