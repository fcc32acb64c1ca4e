import { applyDecorators, HttpCode, Redirect, type Type } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';

/** What a route answers when all goes well: its status, its model and a sentence for the OpenAPI document. */
export const Answers = (description: string, model: Type | [Type], status = 200): MethodDecorator =>
  applyDecorators(
    HttpCode(status),
    ApiResponse({ status, description, ...(Array.isArray(model) ? { type: model } : { type: model }) }),
  );

/** A route with nothing to say: `204`. */
export const AnswersNothing = (description: string): MethodDecorator =>
  applyDecorators(HttpCode(204), ApiResponse({ status: 204, description }));

/** A route that answers bytes of its own kind. */
export const AnswersFile = (description: string): MethodDecorator =>
  ApiResponse({
    status: 200,
    description,
    content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
  });

/** A route that answers a page for people. */
export const AnswersPage = (description: string): MethodDecorator =>
  applyDecorators(
    HttpCode(200),
    ApiResponse({ status: 200, description, content: { 'text/html': { schema: { type: 'string' } } } }),
  );

/** A route that sends the client on, to the `url` it answers. */
export const Redirects = (description: string): MethodDecorator =>
  applyDecorators(Redirect('', 302), ApiResponse({ status: 302, description }));
