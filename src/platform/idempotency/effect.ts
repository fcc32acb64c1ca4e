import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type AgateRequest } from '#platform/http/agate-request';
import { unitOfWorkOf } from './unit-of-work';

/** Makes the effect of a route and its answer, in the context that it is given. */
export type Effect = <T>(make: (ctx: RequestContext) => Promise<T>) => Promise<T>;

/**
 * For a handler that waits for others before it makes its effect, and so is `@Idempotent({ streams: true })`: no transaction is
 * open until it calls this, once, and what that resolves with is the answer.
 */
export const MakesEffect = createParamDecorator((_: unknown, execution: ExecutionContext): Effect => {
  const request = execution.switchToHttp().getRequest<AgateRequest>();
  return <T>(make: (ctx: RequestContext) => Promise<T>) =>
    unitOfWorkOf(request)(() => make(request.context)) as Promise<T>;
});
