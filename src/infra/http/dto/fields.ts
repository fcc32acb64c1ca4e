import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
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
import { canonicalId } from '#kernel/ids';
import { isMailAddress, trimAddress } from '#kernel/text/email-address';
import { cleanText, isLine, isLines } from '#kernel/text/text';
import { EXAMPLE, type ExampleKind } from './example';

/**
 * Options of the field decorators below. Each decorator both validates the input and writes the field's part of the OpenAPI
 * document, so the two cannot diverge.
 */
interface FieldOptions {
  readonly description?: string;
  readonly example?: unknown;
  /** The field may be absent. */
  readonly optional?: boolean;
  /** The field may be `null`. In a PATCH, `null` clears it. */
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

/** Skips validation when the field is absent. Unlike class-validator's `IsOptional`, it does not accept `null`. */
const IfPresent = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

/**
 * A string of `min` (default 1) to `max` characters, trimmed. Control characters are rejected, except tabs and line breaks in a text of
 * several `lines`.
 */
export const TextField = (
  options: FieldOptions & { min?: number; max: number; pattern?: RegExp; lines?: boolean },
): Field =>
  field(
    options,
    {
      type: 'string',
      minLength: options.min ?? 1,
      maxLength: options.max,
      ...(options.pattern && { pattern: options.pattern.source }),
    },
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value)),
    IsString(),
    Length(options.min ?? 1, options.max),
    HasNoControls(options.lines ?? false),
    ...(options.pattern ? [Matches(options.pattern)] : []),
  );

/**
 * One line that was not written by the client, such as the message of a commit: a longer one is cut to `max` characters, and control and
 * bidi characters are removed. It may be empty.
 */
export const CutTextField = ({ max, ...options }: FieldOptions & { max: number }): Field =>
  field(
    { ...options, description: `${options.description ?? ''} Longer than ${max} characters, it is cut.`.trim() },
    { type: 'string' },
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? cleanText(value, max) : value)),
    IsString(),
  );

const HasNoControls = (lines: boolean): PropertyDecorator =>
  ValidateBy({
    name: 'hasNoControls',
    validator: {
      // A value that is not a string breaks another rule.
      validate: (value) => typeof value !== 'string' || (lines ? isLines(value) : isLine(value)),
      defaultMessage: () =>
        `$property must not contain control characters${lines ? ' other than tabs and line breaks' : ''}`,
    },
  });

/** An e-mail address of at most 254 characters, without line breaks. The local part may be non-ASCII (`idn-email`, RFC 6531). */
export const EmailField = (options: FieldOptions = {}): Field =>
  field(
    { example: 'ann@example.com', ...options },
    { type: 'string', format: 'idn-email', maxLength: 254 },
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? trimAddress(value) : value)),
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

/**
 * A UUID. Accepts either case and converts to lower case.
 * @param options.of what it identifies: gives the field its example, and a description if it has none.
 */
export const IdField = ({ of: kind, ...options }: FieldOptions & { of?: ExampleKind } = {}): Field =>
  field(
    { example: EXAMPLE.ids[kind ?? 'request'], ...(kind && { description: `Id of the ${kind}.` }), ...options },
    { type: 'string', format: 'uuid' },
    Transform(({ value }: { value: unknown }) => canonicalId(value)),
    IsUUID(),
  );

/** An array of `min` to `max` distinct UUIDs. Converts them to lower case. */
export const IdSetField = ({
  of: kind,
  ...options
}: FieldOptions & { min: 0 | 1; max: number; of: ExampleKind }): Field =>
  field(
    { example: [EXAMPLE.ids[kind]], ...options },
    {
      type: 'array',
      items: { type: 'string', format: 'uuid' },
      uniqueItems: true,
      minItems: options.min,
      maxItems: options.max,
    },
    Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? value.map(canonicalId) : value)),
    IsArray(),
    ...(options.min === 1 ? [ArrayNotEmpty()] : []),
    DistinctItems(options.max),
    IsUUID(undefined, { each: true }),
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

/**
 * Accepts arrays of at most `max` distinct items. Unlike class-validator's `ArrayUnique`, it takes linear time, and it does
 * not compare the items of an array that is too long.
 */
export const DistinctItems = (max: number): PropertyDecorator =>
  applyDecorators(
    ArrayMaxSize(max),
    ValidateBy({
      name: 'arrayUnique',
      validator: {
        validate: (value) => Array.isArray(value) && (value.length > max || new Set(value).size === value.length),
        defaultMessage: () => "All $property's elements must be unique",
      },
    }),
  );

/** An array of distinct values, at least `min` (1 by default). */
export const EnumSetField = <T extends string>(
  values: readonly T[],
  { min = 1, ...options }: FieldOptions & { min?: 0 | 1 } = {},
): Field =>
  field(
    { example: [values[0]], ...options },
    { type: 'array', items: { type: 'string', enum: [...values] }, uniqueItems: true, minItems: min },
    IsArray(),
    ...(min === 1 ? [ArrayNotEmpty()] : []),
    DistinctItems(values.length),
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

/** An integer that a form sends as digits. */
export const IntegerFormField = (options: FieldOptions & { min: number; max: number }): Field =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && /^\d{1,15}$/.test(value.trim()) ? Number(value) : value,
    ),
    IntegerField(options),
  );

/** An array of 1 to `maxItems` distinct integers. */
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
    DistinctItems(options.maxItems),
    IsInt({ each: true }),
    Min(options.min, { each: true }),
    Max(options.max, { each: true }),
  );

export const BooleanField = (options: FieldOptions = {}): Field =>
  field({ example: true, ...options }, { type: 'boolean' }, IsBoolean());

/** A boolean that a query string or a form sends as the text `true` or `false`. */
export const BooleanQueryField = (options: FieldOptions = {}): Field =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value)),
    BooleanField(options),
  );

/** A timestamp: RFC 3339 in UTC with milliseconds in responses; any UTC offset in requests. */
export const TimeField = (options: FieldOptions = {}): Field =>
  field(
    { example: '2026-11-20T18:03:00.123Z', ...options },
    { type: 'string', format: 'date-time' },
    IsISO8601({ strict: true, strictSeparator: true }),
    // ISO 8601 also has weeks, days of the year and parts of hours, which RFC 3339 and `Date` do not.
    Matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/, {
      message: '$property must be an RFC 3339 time with a time zone',
    }),
    HasYearOfFourDigits(),
  );

/** An offset moves the last hours of the year 9999 to a year that RFC 3339 cannot express, so that no client could read it. */
const HasYearOfFourDigits = (): PropertyDecorator =>
  ValidateBy({
    name: 'hasYearOfFourDigits',
    validator: {
      // A value that is not a time breaks another rule.
      validate: (value) => typeof value !== 'string' || !new Date(value).toJSON()?.startsWith('+'),
      defaultMessage: () => '$property must be before the year 10000 in UTC',
    },
  });

/** A calendar day in the form `2026-11-20`. */
export const DayField = (options: FieldOptions = {}): Field =>
  field(
    { example: '2026-11-20', ...options },
    { type: 'string', format: 'date' },
    IsISO8601({ strict: true }),
    Matches(/^2\d{3}-\d{2}-\d{2}$/, { message: '$property must be a day like 2026-11-20' }),
  );

/** An IPv4 or IPv6 address. An IPv4-mapped IPv6 address is converted to IPv4. */
export const AddressField = (options: FieldOptions = {}): Field =>
  field(
    { example: '203.0.113.7', ...options },
    { type: 'string', maxLength: 45 },
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? value.replace(/^::ffff:(?=\d+\.)/i, '') : value,
    ),
    IsIP(),
  );

/** Treats an empty string as absent: query strings and forms send empty values where JSON would omit the field. */
export const BlankIsAbsent = (): Field =>
  Transform(({ value }: { value: unknown }) => (value === '' ? undefined : value));
