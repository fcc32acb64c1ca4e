import { type AuditEventResponse } from '../dto/audit-day.response';
import { type AuditDay, type RecordedEvent } from './recorded-event';

export const toEventResponse = (event: RecordedEvent): AuditEventResponse => ({
  id: event.id,
  type: event.type,
  actor: { kind: event.actorKind, id: event.actorId, label: event.actorLabel },
  time: event.time.toISOString(),
  source_ip: event.sourceIp,
  request_id: event.requestId,
  project_id: event.projectId,
  payload: event.payload,
});

/** Streams the JSON of an `AuditDayResponse`, one page of events at a time. */
export async function* toDayJson({ day, previousDay, nextDay, pages }: AuditDay): AsyncGenerator<string> {
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
  yield `],"previous_day":${JSON.stringify(previousDay)},"next_day":${JSON.stringify(nextDay)}}`;
}
