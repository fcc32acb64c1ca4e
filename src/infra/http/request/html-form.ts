import { applyDecorators, SetMetadata, type Type } from '@nestjs/common';
import { ApiConsumes, ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { type Request } from 'express';
import { ServesHtml } from '../response/api-responses';

/** Metadata of the routes that accept forms. */
export const ACCEPTS_FORM_KEY = 'agate:accepts-form';

/** Whether a browser submitted an HTML form. The response is then an HTML page, too. */
export const isFormPost = (request: Request): boolean => Boolean(request.is('application/x-www-form-urlencoded'));

/** Whether to respond with an HTML page, because the request is a form or prefers HTML over JSON. */
export const prefersHtml = (request: Request): boolean =>
  Boolean(request.is(['application/x-www-form-urlencoded', 'multipart/form-data'])) ||
  request.accepts(['json', 'html']) === 'html';

/** A route that accepts JSON and HTML forms; other routes reject forms. JSON clients receive `model` (if any); forms receive a page. */
export const AcceptsForm = (model?: Type): MethodDecorator =>
  applyDecorators(
    ServesHtml(),
    SetMetadata(ACCEPTS_FORM_KEY, true),
    ApiConsumes('application/json', 'application/x-www-form-urlencoded'),
    ...(model ? [ApiExtraModels(model)] : []),
    ApiResponse({
      status: 200,
      description: 'An HTML page, if the request was a form.',
      content: {
        'text/html': { schema: { type: 'string' } },
        ...(model && { 'application/json': { schema: { $ref: getSchemaPath(model) } } }),
      },
    }),
  );
