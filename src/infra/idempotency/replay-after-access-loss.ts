import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type AppRequest } from '#infra/http/request/app-request';
import { type IdempotencyScope, idempotencyScopeOf } from './idempotency-scope';
import { IdempotencyService, type StoredResponse } from './idempotency.service';
import { idempotentOptionsOf } from './idempotent';

/** What those hear who have lost their access; nothing else is done for them. */
@Injectable()
export class ReplayAfterAccessLoss {
  private readonly owed = new WeakMap<AppRequest, StoredResponse>();

  constructor(
    private readonly reflector: Reflector,
    private readonly idempotency: IdempotencyService,
  ) {}

  /**
   * Whether the request of somebody without access repeats one of theirs that was answered, as when the effect itself took the
   * access away. If so, that answer is all that the request gets. One with a body is not given: it could tell them something.
   */
  async owes(execution: ExecutionContext): Promise<boolean> {
    const request = execution.switchToHttp().getRequest<AppRequest>();
    const scope = idempotentOptionsOf(this.reflector, execution) && readableScopeOf(request);
    const answer = scope && (await this.idempotency.recall(request.context, scope));
    if (answer?.body !== null) return false;
    this.owed.set(request, answer);
    return true;
  }

  /** The answer that a request was found to be owed. */
  of(request: AppRequest): StoredResponse | undefined {
    return this.owed.get(request);
  }
}

/** Nothing of a request that is refused is judged: what could not be asked at all was not asked before. */
function readableScopeOf(request: AppRequest): IdempotencyScope | null {
  try {
    return idempotencyScopeOf(request);
  } catch {
    return null;
  }
}
