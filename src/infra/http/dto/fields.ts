import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsEmail,
  IsIn,
  IsInt,
  IsIP,
  IsISO8601,
  IsString,
  IsUUID,
  Length,
  Matches,
  Max,
  Min,
  ValidateBy,
  ValidateIf,
} from 'class-validator';
import { isMailAddress } from '#kernel/text/email-address';
import { canonicalId } from '#kernel/ids';

/**
 * Fields of requests and responses: each decorator both checks what comes in and writes its part of the OpenAPI document,
 * so the two cannot part.
 */
interface FieldOptions {
  readonly description?: string;
  readonly example?: unknown;
  /** May be left out. */
  readonly optional?: boolean;
  /** `null` is a value of its own (in a PATCH it clears the field). */
  readonly nullable?: boolean;
}

type Field = PropertyDecorator;

function field(options: FieldOptions, schema: ApiPropertyOptions, ...checks: PropertyDecorator[]): Field {
  const { description, example, optional = false, nullable = false } = options;
  const documented = {
    ...schema,
    ...(description && { description }),
    ...(example !== undefined && { example }),
    required: !optional,
    nullable,
  } as ApiPropertyOptions;
  const optionality = [
    ...(optional ? [IfPresent()] : []),
    ...(nullable ? [ValidateIf((_, value) => value !== null)] : []),
  ];
  return applyDecorators(ApiProperty(documented), ...optionality, ...checks);
}

/** Absent is fine; `null` is not (class-validator's IsOptional takes both). */
const IfPresent = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

/** Text of `min` (default 1) to `max` characters. */
export const TextField = (
  options: FieldOptions & { min?: number; max: number; pattern?: RegExp; trim?: boolean },
): Field =>
  field(
    options,
    {
      type: 'string',
      minLength: options.min ?? 1,
      maxLength: options.max,
      ...(options.pattern && { pattern: options.pattern.source }),
    },
    ...(options.trim === false
      ? []
      : [Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value))]),
    IsString(),
    Length(options.min ?? 1, options.max),
    ...(options.pattern ? [Matches(options.pattern)] : []),
  );

/** An e-mail address, at most 254 characters, no line breaks. `idn-email`: the part before the @ need not be ASCII (RFC 6531). */
export const EmailField = (options: FieldOptions = {}): Field =>
  field(
    { example: 'ann@example.com', ...options },
    { type: 'string', format: 'idn-email', maxLength: 254 },
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value)),
    IsEmail({ allow_utf8_local_part: true, require_tld: false }),
    Length(3, 254),
    IsMailAddress(),
  );

const IsMailAddress = (): PropertyDecorator =>
  ValidateBy({
    name: 'isMailAddress',
    validator: {
      validate: (value) => typeof value === 'string' && isMailAddress(value),
      defaultMessage: () => '$property must be an address that mail can be sent to',
    },
  });

/** A uuid in either case; what comes in is in lower case from here on. */
export const IdField = (options: FieldOptions = {}): Field =>
  field(
    { example: '019a9d5e-7c1a-7b3e-9c55-0c8f4a6b2d10', ...options },
    { type: 'string', format: 'uuid' },
    Transform(({ value }: { value: unknown }) => canonicalId(value)),
    IsUUID(),
  );

export const EnumField = <T extends string>(
  values: readonly T[],
  options: FieldOptions & { name?: string } = {},
): Field =>
  field(
    { example: values[0], ...options },
    { enum: [...values], ...(options.name && { enumName: options.name }) },
    IsIn(values),
  );

/** A set of values: no duplicates, at least one. */
export const EnumSetField = <T extends string>(values: readonly T[], options: FieldOptions = {}): Field =>
  field(
    { example: [values[0]], ...options },
    { type: 'array', items: { type: 'string', enum: [...values] }, uniqueItems: true, minItems: 1 },
    IsArray(),
    ArrayNotEmpty(),
    ArrayUnique(),
    ArrayMaxSize(values.length),
    IsIn(values, { each: true }),
  );

export const IntegerField = (options: FieldOptions & { min: number; max?: number }): Field =>
  field(
    options,
    {
      type: 'integer',
      format: 'int64',
      minimum: options.min,
      ...(options.max !== undefined && { maximum: options.max }),
    },
    IsInt(),
    Min(options.min),
    ...(options.max === undefined ? [] : [Max(options.max)]),
  );

/** A set of integers: no duplicates, from one to `maxItems`. */
export const IntegerSetField = (options: FieldOptions & { min: number; max: number; maxItems: number }): Field =>
  field(
    options,
    {
      type: 'array',
      items: { type: 'integer', format: 'int64', minimum: options.min, maximum: options.max },
      uniqueItems: true,
      minItems: 1,
      maxItems: options.maxItems,
    },
    IsArray(),
    ArrayNotEmpty(),
    ArrayUnique(),
    ArrayMaxSize(options.maxItems),
    IsInt({ each: true }),
    Min(options.min, { each: true }),
    Max(options.max, { each: true }),
  );

export const BooleanField = (options: FieldOptions = {}): Field =>
  field({ example: true, ...options }, { type: 'boolean' }, IsBoolean());

/** A point in time, RFC 3339 in UTC with milliseconds. */
export const TimeField = (options: FieldOptions = {}): Field =>
  field(
    { example: '2026-11-20T18:03:00.123Z', ...options },
    { type: 'string', format: 'date-time' },
    IsISO8601({ strict: true, strictSeparator: true }),
    Matches(/T.*(Z|[+-]\d\d:\d\d)$/, { message: '$property must be an RFC 3339 time with a zone' }),
  );

/** A day, as `2026-11-20`. */
export const DayField = (options: FieldOptions = {}): Field =>
  field(
    { example: '2026-11-20', ...options },
    { type: 'string', format: 'date' },
    IsISO8601({ strict: true }),
    Matches(/^2\d{3}-\d{2}-\d{2}$/, { message: '$property must be a day like 2026-11-20' }),
  );

/** An IP address of either version; an IPv4 address in IPv6 clothes is taken for what it is. */
export const AddressField = (options: FieldOptions = {}): Field =>
  field(
    { example: '203.0.113.7', ...options },
    { type: 'string', maxLength: 45 },
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? value.replace(/^::ffff:(?=\d+\.)/i, '') : value,
    ),
    IsIP(),
  );

/** In a query or a form: what is empty was not sent. Neither can leave a value out as JSON can. */
export const BlankIsAbsent = (): Field =>
  Transform(({ value }: { value: unknown }) => (value === '' ? undefined : value));
