import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiConsumes, ApiResponse } from '@nestjs/swagger';
import { type Request } from 'express';

/** Whether a browser sent a form of one of our pages: then the answer is a page, too. */
export const FromForm = createParamDecorator((_: unknown, execution: ExecutionContext): boolean =>
  Boolean(execution.switchToHttp().getRequest<Request>().is('application/x-www-form-urlencoded')),
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
