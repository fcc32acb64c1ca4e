import { applyDecorators, type ExecutionContext, SetMetadata } from '@nestjs/common';
import { type Reflector } from '@nestjs/core';
import { ApiHeader } from '@nestjs/swagger';

export const IDEMPOTENT_KEY = 'agate:idempotent';

export interface IdempotentOptions {
  /**
   * The route reads a stream of bytes, or asks others, before it makes its effect: no transaction may be open meanwhile, so an
   * inner interceptor, or the handler (`@Idempotently`), opens the unit of work once that is done.
   */
  readonly streams: boolean;
}

/** The route honours `Idempotency-Key` (specification §4 convention 5, contract §13). */
export const Idempotent = (options: IdempotentOptions = { streams: false }): MethodDecorator =>
  applyDecorators(
    SetMetadata(IDEMPOTENT_KEY, options),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description: 'A UUID of yours, one per logical operation: a retry with the same key answers the original result.',
      schema: { type: 'string', format: 'uuid' },
    }),
  );

/** What the route of a request declares; undefined for one that knows no keys. */
export const idempotentOptionsOf = (reflector: Reflector, execution: ExecutionContext): IdempotentOptions | undefined =>
  reflector.get<IdempotentOptions | undefined>(IDEMPOTENT_KEY, execution.getHandler());
