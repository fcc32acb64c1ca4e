import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { isEmail, isUUID, ValidateBy, ValidateIf } from 'class-validator';
import { isMailAddress } from '#kernel/text/email-address';
import { AUDIT_EVENT_TYPE_NAMES } from '#kernel/audit/audit-event';
import { AddressField, BlankIsAbsent, DayField, EnumField } from '#infra/http/dto/fields';
import { KINDS_WITHOUT_ID } from '../feed/recorded-event';

const isActor = (value: unknown): boolean =>
  typeof value === 'string' &&
  (Object.hasOwn(KINDS_WITHOUT_ID, value) ||
    isUUID(value) ||
    (isEmail(value, { allow_utf8_local_part: true, require_tld: false }) && isMailAddress(value)));

const IsActor = (): PropertyDecorator =>
  ValidateBy({
    name: 'isActor',
    validator: {
      validate: isActor,
      defaultMessage: () =>
        `$property must be an id, an e-mail address or one of: ${Object.keys(KINDS_WITHOUT_ID).join(', ')}`,
    },
  });

/** A day of the feed, with optional filters. A blank filter matches all events. */
export class AuditDayQuery {
  @DayField({ optional: true, description: 'In UTC. Default: today.' })
  day?: string;

  @BlankIsAbsent()
  @EnumField(AUDIT_EVENT_TYPE_NAMES, {
    optional: true,
    example: 'build.uploaded',
    name: 'AuditEventType',
    description: 'Lists only events of this type.',
  })
  type?: string;

  @BlankIsAbsent()
  @ApiPropertyOptional({
    type: 'string',
    example: 'ann@example.com',
    description:
      'The id of the actor, the e-mail address of a developer, or a kind: `operator`, `service` (jobs) or `anonymous`.',
  })
  @ValidateIf((_, value) => value !== undefined)
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value))
  @IsActor()
  actor?: string;

  @BlankIsAbsent()
  @AddressField({ optional: true, description: 'The IP address of the client.' })
  ip?: string;
}
