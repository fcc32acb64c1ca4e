import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Reflector } from '@nestjs/core';
import { type RequestContext } from '#kernel/context/request-context';
import { newId } from '#kernel/ids';
import { type AppRequest } from '#infra/http/request/app-request';
import { type StoredResponse } from './idempotency.service';

export const IDEMPOTENT_KEY = 'agate:idempotent';

export interface IdempotentOptions {
  /**
   * Set on a route that streams bytes, calls a store or another service, or deletes many rows in batches, before it changes the rest of the
   * database. No transaction is open until the handler commits its work (`@Idempotently() work`).
   */
  readonly streams: boolean;
}

/** The options that a request's route declares. Undefined when the route does not accept keys. */
export const idempotentOptionsOf = (reflector: Reflector, execution: ExecutionContext): IdempotentOptions | undefined =>
  reflector.get<IdempotentOptions | undefined>(IDEMPOTENT_KEY, execution.getHandler());

/** The work of a request, which is committed once per `Idempotency-Key`. */
export interface IdempotentWork {
  /**
   * A name of the operation for external services. Every attempt of the same request with the same key has the same name;
   * a request without a key has a random one.
   */
  readonly operation: string;
  /**
   * Runs `work` and stores its result, which is the response's body, in one transaction. Without a key there is no response to
   * store and no transaction yet: `work` opens its own. May run `work` again after a serialization failure.
   * @param formDigest digest of a form that was read as a stream. The key is then valid for the same form only.
   */
  readonly commit: <T>(work: (ctx: RequestContext) => Promise<T>, formDigest?: string) => Promise<T>;
}

/** A request to a route that accepts keys. */
export interface IdempotentRequest extends AppRequest {
  /** Set when the `IdempotencyInterceptor` has claimed the key. */
  idempotentWork?: IdempotentWork;
  /** Set by `ReplayAfterAccessLoss`: the response that is replayed although the caller has lost access. */
  replay?: StoredResponse;
}

/**
 * For handlers that call a store or another service before they change the database, and are declared
 * `@Idempotent({ streams: true })`. No transaction is open until the handler calls `commit`, once, with the rest of its work.
 */
export const Idempotently = createParamDecorator((_: unknown, execution: ExecutionContext): IdempotentWork => {
  const request = execution.switchToHttp().getRequest<IdempotentRequest>();
  return request.idempotentWork ?? { operation: newId(), commit: (work) => work(request.context) };
});
