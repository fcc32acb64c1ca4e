import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type Response } from 'express';
import { defer, firstValueFrom, from, type Observable } from 'rxjs';
import { UploadConfig } from '#infra/config/config';
import { type AppRequest } from '#infra/http/request/app-request';
import { readFormDigest } from '#infra/http/upload/form-digest';
import { type Attempt, IdempotencyService, keyReused, type StoredResponse } from './idempotency.service';
import { type IdempotencyScope, idempotencyScopeOf, operationOf } from './idempotency-scope';
import {
  type IdempotentOptions,
  idempotentOptionsOf,
  type IdempotentRequest,
  type IdempotentWork,
} from './idempotent-work';

/**
 * Runs after the guards, on routes with `@Idempotent`: claims the key, replays a stored response, or stores the new response with the
 * request's effect.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly idempotency: IdempotencyService,
    private readonly uploads: UploadConfig,
  ) {}

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const options = idempotentOptionsOf(this.reflector, execution);
    const http = execution.switchToHttp();
    const request = http.getRequest<IdempotentRequest>();
    const { replay } = request;
    if (replay) return defer(() => from(this.replay(replay, request, http.getResponse<Response>())));
    const scope = options && idempotencyScopeOf(request);
    if (!options || !scope) return next.handle();
    return defer(() => from(this.once(execution, next, scope, options)));
  }

  private async once(
    execution: ExecutionContext,
    next: CallHandler,
    scope: IdempotencyScope,
    options: IdempotentOptions,
  ): Promise<unknown> {
    const request = execution.switchToHttp().getRequest<IdempotentRequest>();
    const response = execution.switchToHttp().getResponse<Response>();
    // The claim takes a light turn: it does not wait for heavy statements, and does not end when the client disconnects.
    const { signal: _signal, isHeavy: _isHeavy, ...ctx } = request.context;
    const admission = await this.idempotency.admit(ctx, scope);
    if ('replay' in admission) return this.replay(admission.replay, request, response);
    const { attempt } = admission;
    const work: IdempotentWork = { operation: operationOf(scope), commit: commitOf(request, response, attempt) };
    request.idempotentWork = work;
    try {
      const handle = (): Promise<unknown> => firstValueFrom(next.handle(), { defaultValue: undefined });
      return await (options.streams ? handle() : work.commit(handle));
    } catch (error) {
      await attempt.release(ctx).catch(() => undefined);
      throw error;
    } finally {
      attempt.stop();
    }
  }

  /** Reads a form to its end before the replay: the request is a repetition only if it sends the same form. */
  private async replay(stored: StoredResponse, request: AppRequest, response: Response): Promise<unknown> {
    if (stored.received !== undefined) {
      const received = await readFormDigest(request, response, this.uploads);
      if (received !== stored.received) throw keyReused();
    }
    response.status(stored.status);
    response.setHeader('Idempotency-Replayed', 'true');
    return stored.body ?? undefined;
  }
}

/** Commits the effect and the response in one transaction, which handlers find in their context. */
const commitOf =
  (request: AppRequest, response: Response, attempt: Attempt): IdempotentWork['commit'] =>
  async (work, formDigest) => {
    const outer = request.context;
    try {
      return await attempt.commit(
        outer,
        (inner) => {
          request.context = inner;
          return work(inner);
        },
        (body) => ({ status: response.statusCode, body: body ?? null, received: formDigest }),
      );
    } finally {
      request.context = outer;
    }
  };
