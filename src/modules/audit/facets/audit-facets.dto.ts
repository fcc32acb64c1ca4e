import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { AUDIT_EVENT_TYPE_NAMES } from '#kernel/audit/audit-event';
import { DayField, EnumField, IntegerField, TimeField } from '#infra/http/dto/fields';
import { AuditActorResponse } from '../feed/audit-feed.dto';

const COUNT = { min: 1, example: 12, description: 'The number of events.' };

@ApiSchema({ description: 'A type that events of the range have.' })
class AuditTypeCountResponse {
  @EnumField(AUDIT_EVENT_TYPE_NAMES, { example: 'build.uploaded', name: 'AuditEventType', description: 'The type.' })
  type: string;

  @IntegerField(COUNT)
  count: number;
}

@ApiSchema({ description: 'An actor of events of the range.' })
class AuditActorCountResponse {
  @ApiProperty({ type: AuditActorResponse, description: 'The actor. Its `id` or `label` can be used as a filter.' })
  actor: AuditActorResponse;

  @IntegerField(COUNT)
  count: number;
}

@ApiSchema({ description: 'A day of the range that has events.' })
class AuditDayCountResponse {
  @DayField({ description: 'The day, in UTC.' })
  day: string;

  @IntegerField(COUNT)
  count: number;
}

@ApiSchema({ description: 'The types, actors and days of the events in a range of the audit feed.' })
export class AuditFacetsResponse {
  @TimeField({ example: '2026-10-21T00:00:00.000Z', description: 'The start of the range.' })
  from: string;

  @TimeField({ example: '2026-11-21T00:00:00.000Z', description: 'The time before which the range ends.' })
  to: string;

  @ApiProperty({ type: [AuditTypeCountResponse], description: 'Types, the most frequent first.' })
  types: AuditTypeCountResponse[];

  @ApiProperty({
    type: [AuditActorCountResponse],
    description: 'Up to 100 actors, the most frequent first, without testers and other holders of install links.',
  })
  actors: AuditActorCountResponse[];

  @ApiProperty({ type: [AuditDayCountResponse], description: 'Days with events, newest first.' })
  days: AuditDayCountResponse[];
}
