import { type CsvRow } from '#infra/http/response/stream-response';
import { type AuditFacetsResponse } from '../facets/audit-facets.dto';
import { type AuditFacets } from '../facets/audit-facets.service';
import { type AuditEventResponse } from './audit-feed.dto';
import { type AuditDay, type NamedEvent, type RecordedEvent } from './recorded-event';

const toEventResponse = (event: NamedEvent): AuditEventResponse => ({
  id: event.id,
  type: event.type,
  actor: { kind: event.actorKind, id: event.actorId, label: event.actorLabel },
  time: event.time.toISOString(),
  source_ip: event.sourceIp,
  request_id: event.requestId,
  project_id: event.projectId,
  subject_label: event.subjectLabel,
  payload: event.payload,
});

/** Streams the JSON of an `AuditDayResponse`, one page of events at a time. */
export async function* toDayJson({ day, previousDay, nextDay, pages, nextCursor }: AuditDay): AsyncGenerator<string> {
  let text = `{"day":${JSON.stringify(day)},"events":[`;
  let separator = '';
  for await (const page of pages) {
    for (const event of page) {
      text += separator + JSON.stringify(toEventResponse(event));
      separator = ',';
    }
    yield text;
    text = '';
  }
  const rest = { previous_day: previousDay, next_day: nextDay, next_cursor: nextCursor };
  yield `],${JSON.stringify(rest).slice(1)}`;
}

export const AUDIT_EVENT_COLUMNS = [
  'id',
  'time',
  'type',
  'actor_kind',
  'actor_id',
  'actor_label',
  'source_ip',
  'request_id',
  'project_id',
  'payload',
];

export const toEventRow = (event: RecordedEvent): CsvRow => ({
  id: event.id,
  time: event.time.toISOString(),
  type: event.type,
  actor_kind: event.actorKind,
  actor_id: event.actorId,
  actor_label: event.actorLabel,
  source_ip: event.sourceIp,
  request_id: event.requestId,
  project_id: event.projectId,
  payload: JSON.stringify(event.payload),
});

export const toFacetsResponse = ({ from, to, types, actors, days }: AuditFacets): AuditFacetsResponse => ({
  from: from.toISOString(),
  to: to.toISOString(),
  types: types.map(({ type, count }) => ({ type, count })),
  actors: actors.map(({ actorKind, actorId, actorLabel, count }) => ({
    actor: { kind: actorKind, id: actorId, label: actorLabel },
    count,
  })),
  days: days.map(({ day, count }) => ({ day, count })),
});
