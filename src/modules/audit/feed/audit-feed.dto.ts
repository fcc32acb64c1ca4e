import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, ApiSchema, PickType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { isEmail, isISO8601, IsOptional, isUUID, ValidateBy, ValidateIf } from 'class-validator';
import { AUDIT_EVENT_TYPE_NAMES } from '#kernel/audit/audit-event';
import { isMailAddress } from '#kernel/text/email-address';
import { EXAMPLE } from '#infra/http/dto/example';
import {
  AddressField,
  BlankIsAbsent,
  DayField,
  EnumField,
  IdField,
  TextField,
  TimeField,
} from '#infra/http/dto/fields';
import { CursorField, LimitField } from '#infra/http/dto/pagination';
import { KINDS_WITHOUT_ID } from './recorded-event';

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

const ACTOR_KINDS = ['developer', 'project_access_token', 'invite', 'update_key', 'anonymous', 'system', 'operator'];

@ApiSchema({ description: 'The owner of the credential that made a change.' })
export class AuditActorResponse {
  @EnumField(ACTOR_KINDS, {
    example: 'project_access_token',
    description:
      '`invite`: a tester or another holder of an install link. `update_key`: an installed app. `anonymous`: a request without a credential. `system`: a job of the service.',
  })
  kind: string;

  @IdField({
    nullable: true,
    of: 'project access token',
    description:
      'The id of the developer, token or link. `null` for anonymous requests, operators and the service itself.',
  })
  id: string | null;

  @TextField({
    max: 254,
    nullable: true,
    example: 'GitHub Actions',
    description:
      'The current e-mail address of a developer, `erased` when the account was deleted, or the name of a token.',
  })
  label: string | null;
}

@ApiSchema({ description: 'A change of state, recorded in the transaction that made it.' })
export class AuditEventResponse {
  @IdField({ of: 'audit event' })
  id: string;

  @EnumField(AUDIT_EVENT_TYPE_NAMES, {
    example: 'build.uploaded',
    name: 'AuditEventType',
    description: 'What happened.',
  })
  type: string;

  @ApiProperty({ type: AuditActorResponse, description: 'Who made the change.' })
  actor: AuditActorResponse;

  @TimeField({ example: '2026-11-20T18:03:00.130Z', description: 'When the change was made.' })
  time: string;

  @AddressField({
    nullable: true,
    description: 'The IP address of the client. `null` for operators and the service itself.',
  })
  source_ip: string | null;

  @TextField({
    max: 64,
    example: EXAMPLE.ids.request,
    description:
      'The `X-Request-Id` of the response. The id that the client sent is `client_request_id` in the payload.',
  })
  request_id: string;

  @IdField({
    nullable: true,
    of: 'project',
    description: 'The project that was changed. `null` when the event does not belong to a project.',
  })
  project_id: string | null;

  @TextField({
    max: 254,
    nullable: true,
    example: null,
    description:
      'The present name, or else the e-mail address, of the tester, token, member or invited person that the payload names. `null` when it names none, when the object is gone, and when you may not know it: testers need VIEW_PROJECT, invitations and personal access tokens ADMIN. Always `null` for a personal access token.',
  })
  subject_label: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    example: {
      build_id: EXAMPLE.ids.build,
      platform: 'ios',
      version: '1.4.0',
      build_number: '42',
      size_bytes: EXAMPLE.fileBytes,
    },
    description: 'Facts about the change. Its fields depend on `type`.',
  })
  payload: Readonly<Record<string, unknown>>;
}

@ApiSchema({ description: 'A day or range of the audit feed of an organization.' })
export class AuditDayResponse {
  @DayField({ description: 'The day, in UTC; the last day of a range.' })
  day: string;

  @ApiProperty({
    type: [AuditEventResponse],
    description: 'All events of the day or range, newest first; with `limit` a page of them.',
  })
  events: AuditEventResponse[];

  @DayField({
    nullable: true,
    description:
      'The nearest earlier day with matching events; before the range, if one was requested. `null` when there is none.',
    example: '2026-11-19',
  })
  previous_day: string | null;

  @DayField({
    nullable: true,
    description:
      'The nearest later day with matching events; after the range, if one was requested. `null` when there is none.',
    example: null,
  })
  next_day: string | null;

  @ApiPropertyOptional({
    type: 'string',
    nullable: true,
    example: null,
    description: 'Send it as `cursor` to get the next page. `null` on the last page. Absent without `limit`.',
  })
  next_cursor?: string | null;
}
