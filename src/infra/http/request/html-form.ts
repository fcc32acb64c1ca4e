import { applyDecorators, createParamDecorator, type ExecutionContext, type Type } from '@nestjs/common';
import { ApiConsumes, ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { type Request } from 'express';
import { ServesHtml } from '../response/api-responses';

/** Whether a browser sent a form of one of our pages: then the answer is a page, too. */
export const isFormPost = (request: Request): boolean => Boolean(request.is('application/x-www-form-urlencoded'));

/** The same, as a parameter of a route. */
export const IsFormPost = createParamDecorator((_: unknown, execution: ExecutionContext): boolean =>
  isFormPost(execution.switchToHttp().getRequest<Request>()),
);

/** Whether a person is to be shown a page: they sent a form of any kind, or their browser asks for HTML. */
export const PrefersHtml = createParamDecorator((_: unknown, execution: ExecutionContext): boolean => {
  const request = execution.switchToHttp().getRequest<Request>();
  const isForm = request.is(['application/x-www-form-urlencoded', 'multipart/form-data']);
  return Boolean(isForm) || request.accepts(['json', 'html']) === 'html';
});

/** A route that a page's form may post to, beside programs with JSON, which hear `model` if they hear anything. */
export const AcceptsForm = (model?: Type): MethodDecorator =>
  applyDecorators(
    ServesHtml(),
    ApiConsumes('application/json', 'application/x-www-form-urlencoded'),
    ...(model ? [ApiExtraModels(model)] : []),
    ApiResponse({
      status: 200,
      description: 'A page, where a form was sent.',
      content: {
        'text/html': { schema: { type: 'string' } },
        ...(model && { 'application/json': { schema: { $ref: getSchemaPath(model) } } }),
      },
    }),
  );
