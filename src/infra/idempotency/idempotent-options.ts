import { type ExecutionContext } from '@nestjs/common';
import { type Reflector } from '@nestjs/core';

export const IDEMPOTENT_KEY = 'agate:idempotent';

export interface IdempotentOptions {
  /**
   * Set on a route that streams bytes, or calls a store or another service, before it changes the database. No transaction is
   * open until the handler commits its work (`@Idempotently() work`).
   */
  readonly streams: boolean;
}

/** The options that a request's route declares. Undefined when the route does not accept keys. */
export const idempotentOptionsOf = (reflector: Reflector, execution: ExecutionContext): IdempotentOptions | undefined =>
  reflector.get<IdempotentOptions | undefined>(IDEMPOTENT_KEY, execution.getHandler());
