import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type AppRequest } from '#infra/http/request/app-request';
import { IdempotencyService } from './idempotency.service';
import { type IdempotencyScope, idempotencyScopeOf } from './idempotency-scope';
import { idempotentOptionsOf, type IdempotentRequest } from './idempotent-work';

/**
 * Replays a stored response to a caller whose own request removed their access, for example by deleting the project. Without
 * it the retry of a lost response would be `403`, as if the request had failed.
 */
@Injectable()
export class ReplayAfterAccessLoss {
  constructor(
    private readonly reflector: Reflector,
    private readonly idempotency: IdempotencyService,
  ) {}

  /**
   * Whether a request without access repeats a request of the same caller that has a stored response. The response is kept on
   * the request, so the interceptor replays it and runs nothing. A response with a body is not replayed: the caller may not
   * read it any longer.
   */
  async find(execution: ExecutionContext): Promise<boolean> {
    const request = execution.switchToHttp().getRequest<IdempotentRequest>();
    const scope = idempotentOptionsOf(this.reflector, execution) && readableScopeOf(request);
    const stored = scope && (await this.idempotency.recall(request.context, scope));
    if (stored?.body !== null) return false;
    request.replay = stored;
    return true;
  }
}

/** The scope of a request; null for an invalid key or body, which no earlier request can have had. */
function readableScopeOf(request: AppRequest): IdempotencyScope | null {
  try {
    return idempotencyScopeOf(request);
  } catch {
    return null;
  }
}
