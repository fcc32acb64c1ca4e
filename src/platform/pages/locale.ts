import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Request } from 'express';
import { type Messages, messagesFor, pickLocale } from './messages';

/** The words of a page in the reader's language. */
export const messagesOf = (request: Request): Messages => messagesFor(pickLocale(request.get('accept-language')));

/** The same, as a parameter of a route. */
export const Words = createParamDecorator((_: unknown, execution: ExecutionContext): Messages =>
  messagesOf(execution.switchToHttp().getRequest<Request>()),
);
