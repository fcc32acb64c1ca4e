import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { plainToInstance, Transform, Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsObject, ValidateIf, ValidateNested } from 'class-validator';
import { rejectOversizedBody } from '../request/body-bounds';
import { rejectUnstorable } from '../request/input-validation.pipe';

interface ObjectListOptions {
  readonly max: number;
  readonly description: string;
}

/**
 * An optional array of at most `max` objects. A form sends it as JSON text, which has the same limits as a JSON body; an empty text counts
 * as absent.
 */
export const ObjectListField = <T extends object>(
  type: new () => T,
  { max, description }: ObjectListOptions,
): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ type: [type], maxItems: max, required: false, description }),
    ValidateIf((_, value) => value !== undefined),
    IsArray({ message: '$property must be an array, in a form as JSON text' }),
    ArrayMaxSize(max),
    // `ValidateNested` accepts arrays in place of objects and validates their items.
    IsObject({ each: true }),
    ValidateNested({ each: true }),
    Transform(({ key, value }: { key: string; value: unknown }) => {
      if (typeof value !== 'string') return value;
      if (value === '') return undefined;
      const parsed = fromJson(value);
      rejectOversizedBody({ [key]: parsed }, max);
      rejectUnstorable(parsed, key);
      return Array.isArray(parsed) ? plainToInstance(type, parsed) : parsed;
    }),
    Type(() => type),
  );

/** A text that is not JSON stays a text, which `IsArray` rejects. */
function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
