import { AUDIT_EVENT_TYPE_NAMES } from '#kernel/audit/audit-event';
import { AddressField, BlankIsAbsent, DayField, EnumField, IdField } from '#infra/http/dto/fields';

/** A day of the feed, with optional filters. A blank filter matches all events. */
export class AuditDayQuery {
  @DayField({ optional: true, description: 'In UTC. Default: today.' })
  day?: string;

  @BlankIsAbsent()
  @EnumField(AUDIT_EVENT_TYPE_NAMES, { optional: true, example: 'build.uploaded', name: 'AuditEventType' })
  type?: string;

  @BlankIsAbsent()
  @IdField({ optional: true, description: 'The id of the actor: a developer, a token or another one.' })
  actor?: string;

  @BlankIsAbsent()
  @AddressField({ optional: true, description: 'The IP address of the client.' })
  ip?: string;
}
