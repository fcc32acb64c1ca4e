import {
  type ArgumentMetadata,
  Injectable,
  type PipeTransform,
  type Type,
  type ValidationError,
  ValidationPipe,
} from '@nestjs/common';
import { AppError } from '#kernel/errors/app-error';
import { isStorableText } from '#kernel/text/text';

/**
 * Validates every body and query against its DTO class. Unknown body fields are rejected; unknown query parameters are
 * ignored. Text with U+0000 or lone surrogates is rejected, because PostgreSQL cannot store it.
 */
@Injectable()
export class InputValidationPipe implements PipeTransform {
  private readonly bodies = validationPipe({ forbidNonWhitelisted: true });
  private readonly others = validationPipe({ forbidNonWhitelisted: false });

  async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type === 'custom') return value;
    if (metadata.type !== 'body') {
      // Checked after the transformation, which drops an invalid cursor: such a cursor returns the first page instead of an
      // error.
      const input: unknown = await this.others.transform(value, metadata);
      rejectUnstorable(input, metadata.data ?? '');
      return input;
    }
    rejectUnstorable(value, '');
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (!isObject) throw AppError.validation([{ field: '', messages: ['send a JSON object as the body'] }]);
    return this.bodies.transform(value, metadata) as Promise<unknown>;
  }

  /** Validates the text parts of a form as a JSON body. @throws AppError validation_error */
  validateParts<T>(parts: Readonly<Record<string, string>>, metatype: Type<T>): Promise<T> {
    return this.transform({ ...parts }, { type: 'body', metatype }) as Promise<T>;
  }
}

const validationPipe = (options: { forbidNonWhitelisted: boolean }): ValidationPipe =>
  new ValidationPipe({
    ...options,
    transform: true,
    whitelist: true,
    forbidUnknownValues: true,
    validationError: { target: false, value: false },
    exceptionFactory: (errors) => AppError.validation(errors.flatMap((error) => fieldsOf(error))),
  });

/** @throws AppError validation_error when a value or name is a text that PostgreSQL cannot store, or when a name is lost in copies. */
export function rejectUnstorable(value: unknown, field: string): void {
  if (typeof value === 'string') {
    if (!isStorableText(value))
      throw AppError.validation([{ field, messages: ['must be well-formed Unicode text without U+0000'] }]);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const prefix = field ? `${field}.` : '';
  for (const [key, inner] of Object.entries(value)) {
    // Names of Object.prototype (`toString`, `__proto__`) are lost when the body is copied, so the whitelist would never see
    // them.
    if (key in Object.prototype || key === 'prototype') {
      const field = prefix + key;
      throw AppError.validation([{ field, messages: [`property ${key} should not exist`] }]);
    }
    if (!isStorableText(key))
      throw AppError.validation([{ field, messages: ['has a name that is not well-formed Unicode text'] }]);
    rejectUnstorable(inner, prefix + key);
  }
}

function fieldsOf(error: ValidationError, parent = ''): { field: string; messages: string[] }[] {
  const field = parent ? `${parent}.${error.property}` : error.property;
  const own = Object.values(error.constraints ?? {});
  return [
    ...(own.length > 0 ? [{ field, messages: own }] : []),
    ...(error.children ?? []).flatMap((child) => fieldsOf(child, field)),
  ];
}
