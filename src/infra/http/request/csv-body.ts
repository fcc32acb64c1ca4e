import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';
import { AppError } from '#kernel/errors/app-error';
import { type AppRequest } from './app-request';

/** The text of a body that was sent as `text/csv`. */
export const CsvText = createParamDecorator((_: unknown, execution: ExecutionContext): string => {
  const body: unknown = execution.switchToHttp().getRequest<AppRequest>().body;
  if (typeof body !== 'string') throw AppError.validation([{ field: '', messages: ['send the file as text/csv'] }]);
  return body;
});

/** A route that takes a CSV file as its body (RFC 4180). */
export const TakesCsv = (example: string): MethodDecorator =>
  applyDecorators(ApiConsumes('text/csv'), ApiBody({ required: true, schema: { type: 'string', example } }));
