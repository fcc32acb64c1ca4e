import { applyDecorators, type ExecutionContext, SetMetadata } from '@nestjs/common';
import { type Reflector } from '@nestjs/core';
import { ApiHeader } from '@nestjs/swagger';

export const IDEMPOTENT_KEY = 'agate:idempotent';

export interface IdempotentOptions {
  /**
   * Set on a route that streams bytes, or calls a store or another service, before it changes the database. No transaction is
   * open until the handler commits its work (`@Idempotently() work`).
   */
  readonly streams: boolean;
}

/** The route accepts an `Idempotency-Key` (docs/api-behaviour.md#idempotency). */
export const Idempotent = (options: IdempotentOptions = { streams: false }): MethodDecorator =>
  applyDecorators(
    SetMetadata(IDEMPOTENT_KEY, options),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        'A UUID of your choice, one per logical operation. A retry with the same key returns the original response.',
      schema: { type: 'string', format: 'uuid', example: '8e03978e-40d5-43e8-bc93-6894a57f9324' },
    }),
  );

/** The options that a request's route declares. Undefined when the route does not accept keys. */
export const idempotentOptionsOf = (reflector: Reflector, execution: ExecutionContext): IdempotentOptions | undefined =>
  reflector.get<IdempotentOptions | undefined>(IDEMPOTENT_KEY, execution.getHandler());
