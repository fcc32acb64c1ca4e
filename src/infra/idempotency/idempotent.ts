import { applyDecorators, SetMetadata, UseInterceptors } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { IdempotencyInterceptor } from './idempotency.interceptor';
import { IDEMPOTENT_KEY, type IdempotentOptions } from './idempotent-work';

/** The route accepts an `Idempotency-Key` (docs/api-behaviour.md#idempotency). */
export const Idempotent = (options: IdempotentOptions = { streams: false }): MethodDecorator =>
  applyDecorators(
    SetMetadata(IDEMPOTENT_KEY, options),
    UseInterceptors(IdempotencyInterceptor),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        'A UUID of your choice, one per logical operation. A retry with the same key returns the original response.',
      schema: { type: 'string', format: 'uuid', example: '8e03978e-40d5-43e8-bc93-6894a57f9324' },
    }),
  );
