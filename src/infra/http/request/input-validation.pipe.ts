import {
  type ArgumentMetadata,
  Injectable,
  type PipeTransform,
  type ValidationError,
  ValidationPipe,
} from '@nestjs/common';
import { AppError } from '#kernel/errors/app-error';
import { isStorableText } from '#kernel/text/text';

/** How deep a body may be nested. */
export const MAX_DEPTH = 16;

/**
 * Checks the shape of every body and query against its class. Unknown fields of a body are refused, unknown query
 * parameters ignored (contract §1); U+0000 and lone surrogates are refused in any text (contract §14) that is looked at.
 */
@Injectable()
export class InputValidationPipe implements PipeTransform {
  private readonly bodies = validationPipe({ forbidNonWhitelisted: true });
  private readonly others = validationPipe({ forbidNonWhitelisted: false });

  async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type === 'custom') return value;
    if (metadata.type !== 'body') {
      // Only afterwards: a cursor that cannot be read has been left out by then, and shows the first page (specification §7 rule 7).
      const input: unknown = await this.others.transform(value, metadata);
      refuseUnstorable(input, metadata.data ?? '', 0);
      return input;
    }
    refuseUnstorable(value, '', 0);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (!isObject) throw AppError.validation([{ field: '', messages: ['send a JSON object as the body'] }]);
    return this.bodies.transform(value, metadata) as Promise<unknown>;
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

function refuseUnstorable(value: unknown, field: string, depth: number): void {
  if (typeof value === 'string') {
    if (!isStorableText(value))
      throw AppError.validation([{ field, messages: ['must be well-formed text without U+0000'] }]);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth > MAX_DEPTH) throw AppError.validation([{ field, messages: ['is nested too deeply'] }]);
  const prefix = field ? `${field}.` : '';
  for (const [key, inner] of Object.entries(value)) {
    // What every object inherits (`toString`, `__proto__`) is left out when the body is copied, before the whitelist sees it.
    if (key in Object.prototype || key === 'prototype') {
      const field = prefix + key;
      throw AppError.validation([{ field, messages: [`property ${key} should not exist`] }]);
    }
    if (!isStorableText(key))
      throw AppError.validation([{ field, messages: ['has a name that is not well-formed text'] }]);
    refuseUnstorable(inner, prefix + key, depth + 1);
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
