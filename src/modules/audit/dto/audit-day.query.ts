import { AUDIT_EVENT_TYPE_NAMES } from '#kernel/audit/audit-event';
import { AddressField, BlankIsAbsent, DayField, EnumField, IdField } from '#infra/http/dto/fields';

/** Which part of the feed. A filter that is left blank lets everything pass. */
export class AuditDayQuery {
  @DayField({ optional: true, description: 'In UTC; today without one.' })
  day?: string;

  @BlankIsAbsent()
  @EnumField(AUDIT_EVENT_TYPE_NAMES, { optional: true, example: 'build.uploaded', name: 'AuditEventType' })
  type?: string;

  @BlankIsAbsent()
  @IdField({ optional: true, description: 'The id of a developer, a token or whoever else acted.' })
  actor?: string;

  @BlankIsAbsent()
  @AddressField({ optional: true, description: 'The address that the request came from.' })
  ip?: string;
}
