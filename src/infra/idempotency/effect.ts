import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type AppRequest } from '#infra/http/request/app-request';
import { unitOfWorkOf } from './unit-of-work';

/** What a route is to do, for a handler that makes it by itself. */
export interface IdempotentWork {
  /** Names the operation to whoever else is asked for a part of it: the same whenever the request comes again with its key. */
  readonly operation: string;
  /** Makes the effect of the route and its answer, in the context that it is given. */
  readonly make: <T>(make: (ctx: RequestContext) => Promise<T>) => Promise<T>;
}

/**
 * For a handler that waits for others before it makes its effect, and so is `@Idempotent({ streams: true })`: no transaction is
 * open until it calls `make`, once, and what that resolves with is the answer.
 */
export const Idempotently = createParamDecorator((_: unknown, execution: ExecutionContext): IdempotentWork => {
  const request = execution.switchToHttp().getRequest<AppRequest>();
  const unit = unitOfWorkOf(request);
  return {
    operation: unit.operation,
    make: <T>(make: (ctx: RequestContext) => Promise<T>) => unit.run(() => make(request.context)) as Promise<T>,
  };
});
