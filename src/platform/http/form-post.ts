import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiConsumes, ApiResponse } from '@nestjs/swagger';
import { type Request } from 'express';

/** Whether a browser sent a form of one of our pages: then the answer is a page, too. */
export const isFormPost = (request: Request): boolean => Boolean(request.is('application/x-www-form-urlencoded'));

/** The same, as a parameter of a route. */
export const FromForm = createParamDecorator((_: unknown, execution: ExecutionContext): boolean =>
  isFormPost(execution.switchToHttp().getRequest<Request>()),
);

/** A route that a page's form may post to, beside programs with JSON. */
export const FormAware = (): MethodDecorator =>
  applyDecorators(
    ApiConsumes('application/json', 'application/x-www-form-urlencoded'),
    ApiResponse({
      status: 200,
      description: 'A page, where a form was sent.',
      content: { 'text/html': { schema: { type: 'string' } } },
    }),
  );
