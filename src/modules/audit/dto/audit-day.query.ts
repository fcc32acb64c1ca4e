import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { isEmail, isISO8601, IsOptional, isUUID, ValidateBy, ValidateIf } from 'class-validator';
import { isMailAddress } from '#kernel/text/email-address';
import { AUDIT_EVENT_TYPE_NAMES } from '#kernel/audit/audit-event';
import { AddressField, BlankIsAbsent, DayField, EnumField, IdField } from '#infra/http/dto/fields';
import { CursorField, LimitField } from '#infra/http/dto/pagination';
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

const DAY = /^2\d{3}-\d{2}-\d{2}$/;
const TIME = /^2\d{3}-\d{2}-\d{2}T.*(Z|[+-]\d\d:\d\d)$/;

const isBound = (value: unknown): boolean =>
  typeof value === 'string' &&
  (DAY.test(value) || TIME.test(value)) &&
  isISO8601(value, { strict: true, strictSeparator: true });

const BoundField = (description: string): PropertyDecorator =>
  applyDecorators(
    BlankIsAbsent(),
    ApiPropertyOptional({ type: 'string', example: '2026-11-20', description }),
    IsOptional(),
    ValidateBy({
      name: 'isBound',
      validator: {
        validate: isBound,
        defaultMessage: () => '$property must be a day like 2026-11-20, or an RFC 3339 time with a time zone',
      },
    }),
  );

/** A day or range of the feed, with optional filters. A blank filter matches all events. */
export class AuditRangeQuery {
  @DayField({ optional: true, description: 'In UTC. Default: today, unless `from` or `to` is given.' })
  day?: string;

  @BoundField(
    'Lists a range instead of a day: events from this day in UTC, or from this time. Not together with `day`.',
  )
  from?: string;

  @BoundField(
    'The last day of the range in UTC, or the time before which it ends. Default: now. Not together with `day`.',
  )
  to?: string;

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

  @BlankIsAbsent()
  @IdField({ optional: true, of: 'project', description: 'Lists only events of this project, deleted ones included.' })
  project_id?: string;
}

/** A day or range of the feed, in one answer or in pages. */
export class AuditDayQuery extends AuditRangeQuery {
  @LimitField()
  limit?: number;

  @CursorField()
  cursor?: string;
}

/** The range whose types, actors and days are counted. */
export class AuditFacetsQuery extends PickType(AuditRangeQuery, ['from', 'to', 'project_id'] as const) {}
