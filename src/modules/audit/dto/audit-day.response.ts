import { ApiProperty } from '@nestjs/swagger';
import { AUDIT_EVENT_TYPE_NAMES } from '#kernel/audit/audit-event';
import { AddressField, DayField, EnumField, IdField, TextField, TimeField } from '#infra/http/dto/fields';

const ACTOR_KINDS = ['developer', 'project_access_token', 'invite', 'anonymous', 'system', 'operator'];

class AuditActorResponse {
  @EnumField(ACTOR_KINDS)
  kind: string;

  @IdField({ nullable: true, description: 'Null for anonymous requests and for the service itself.' })
  id: string | null;

  @TextField({
    max: 254,
    nullable: true,
    example: 'ann@example.com',
    description:
      'The current e-mail address of a developer, `erased` when the account was deleted, or the name of a token.',
  })
  label: string | null;
}

export class AuditEventResponse {
  @IdField()
  id: string;

  @EnumField(AUDIT_EVENT_TYPE_NAMES, { example: 'build.uploaded', name: 'AuditEventType' })
  type: string;

  @ApiProperty({ type: AuditActorResponse })
  actor: AuditActorResponse;

  @TimeField()
  time: string;

  @AddressField({ nullable: true })
  source_ip: string | null;

  @TextField({
    max: 64,
    example: '019a9d5e-7c1a-7b3e-9c55-0c8f4a6b2d10',
    description:
      'The `X-Request-Id` of the response. The id that the client sent is `client_request_id` in the payload.',
  })
  request_id: string;

  @IdField({ nullable: true })
  project_id: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    example: { build_id: '019a9d5e-7c1a-7b3e-9c55-0c8f4a6b2d10', version: '1.4.0' },
  })
  payload: Readonly<Record<string, unknown>>;
}

export class AuditDayResponse {
  @DayField()
  day: string;

  @ApiProperty({ type: [AuditEventResponse], description: 'All events of the day, newest first.' })
  events: AuditEventResponse[];

  @DayField({ nullable: true, description: 'The nearest earlier day with matching events.' })
  previous_day: string | null;

  @DayField({ nullable: true, description: 'The nearest later day with matching events.' })
  next_day: string | null;
}
