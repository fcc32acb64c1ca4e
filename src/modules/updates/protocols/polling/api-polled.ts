import { applyDecorators, type Type } from '@nestjs/common';
import { ApiHeader, ApiResponse } from '@nestjs/swagger';
import { ApiFile, ApiResult } from '#infra/http/response/api-responses';

const CONDITIONAL = [
  ApiHeader({
    name: 'If-None-Match',
    required: false,
    description: 'The ETag of the response that you already have.',
    schema: { type: 'string' },
  }),
  ApiResponse({ status: 304, description: 'Your copy is current.' }),
];

/** A route that clients poll, with an ETag. */
export const ApiPolled = (summary: string, model: Type): MethodDecorator =>
  applyDecorators(ApiResult(summary, model), ...CONDITIONAL);

/** A feed that clients poll, with an ETag. */
export const ApiFeed = (summary: string, mediaType: string): MethodDecorator =>
  applyDecorators(ApiFile(summary, mediaType), ...CONDITIONAL);
