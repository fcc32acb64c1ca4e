import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type Response } from 'express';
import { defer, firstValueFrom, from, type Observable } from 'rxjs';
import { StorageConfig } from '#infra/config/config';
import { type AppRequest } from '#infra/http/request/app-request';
import { readArtifactDigest } from '#infra/upload/artifact-digest';
import { type IdempotencyScope, idempotencyScopeOf, operationOf } from './idempotency-scope';
import { type Attempt, IdempotencyService, keyReused, type StoredResponse } from './idempotency.service';
import { type IdempotentOptions, idempotentOptionsOf } from './idempotent';
import { ReplayAfterAccessLoss } from './replay-after-access-loss';
import { type UnitOfWork, unitOfWorkOf, useUnitOfWork } from './unit-of-work';

/** After authorization and around all else: claims the key, replays a stored answer, stores a new one with its effect. */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly idempotency: IdempotencyService,
    private readonly owed: ReplayAfterAccessLoss,
    private readonly storage: StorageConfig,
  ) {}

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const options = idempotentOptionsOf(this.reflector, execution);
    const http = execution.switchToHttp();
    const request = http.getRequest<AppRequest>();
    const owed = this.owed.of(request);
    if (owed) return defer(() => from(this.replay(owed, request, http.getResponse<Response>())));
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
    const request = execution.switchToHttp().getRequest<AppRequest>();
    const response = execution.switchToHttp().getResponse<Response>();
    const ctx = request.context;
    const admission = await this.idempotency.admit(ctx, scope);
    if ('replay' in admission) return this.replay(admission.replay, request, response);
    const { attempt } = admission;
    useUnitOfWork(request, { operation: operationOf(scope), run: runner(request, response, attempt) });
    try {
      const handle = (): Promise<unknown> => firstValueFrom(next.handle(), { defaultValue: undefined });
      return await (options.streams ? handle() : unitOfWorkOf(request).run(handle));
    } catch (error) {
      await attempt.release(ctx).catch(() => undefined);
      throw error;
    } finally {
      attempt.stop();
    }
  }

  /** A form is read first, to the end: it is the same request only when it brings the same. */
  private async replay(answer: StoredResponse, request: AppRequest, response: Response): Promise<unknown> {
    if (answer.received !== undefined) {
      const received = await readArtifactDigest(request, response, this.storage.maxUploadBytes);
      if (received !== answer.received) throw keyReused();
    }
    response.status(answer.status);
    response.setHeader('Idempotency-Replayed', 'true');
    return answer.body ?? undefined;
  }
}

/** The handler's effect and its answer in one transaction; what the handler sees as its context carries it. */
const runner =
  (request: AppRequest, response: Response, attempt: Attempt): UnitOfWork['run'] =>
  async (work, received) => {
    const outer = request.context;
    try {
      return await attempt.commit(
        outer,
        (inner) => {
          request.context = inner;
          return work();
        },
        (body) => ({ status: response.statusCode, body: body ?? null, received }),
      );
    } finally {
      request.context = outer;
    }
  };
