import { createHash } from 'node:crypto';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type Response } from 'express';
import { defer, firstValueFrom, from, type Observable } from 'rxjs';
import { partyOf } from '#kernel/context/identity';
import { AppError } from '#kernel/errors/app-error';
import { isUuid } from '#kernel/ids/ids';
import { StorageConfig } from '#platform/config/config';
import { type AgateRequest } from '#platform/http/agate-request';
import { MAX_DEPTH } from '#platform/http/input-pipe';
import { readArtifactDigest } from '#platform/upload/artifact-digest';
import {
  type Attempt,
  type IdempotencyScope,
  IdempotencyService,
  keyReused,
  type StoredAnswer,
} from './idempotency.service';
import { IDEMPOTENT_KEY, type IdempotentOptions } from './idempotent';
import { type UnitOfWork, unitOfWorkOf, useUnitOfWork } from './unit-of-work';

/** After authorization and around all else: claims the key, replays a stored answer, stores a new one with its effect. */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  /** What those hear who have lost their access; nothing else is done for them. */
  private readonly owed = new WeakMap<AgateRequest, StoredAnswer>();

  constructor(
    private readonly reflector: Reflector,
    private readonly idempotency: IdempotencyService,
    private readonly storage: StorageConfig,
  ) {}

  /**
   * Whether the request of somebody without access repeats one of theirs that was answered, as when the effect itself took the
   * access away. If so, that answer is all that the request gets. One with a body is not given: it could tell them something.
   */
  async owesReplay(execution: ExecutionContext): Promise<boolean> {
    const request = execution.switchToHttp().getRequest<AgateRequest>();
    const scope = this.optionsOf(execution) && readableScopeOf(request);
    const answer = scope && (await this.idempotency.recall(request.context, scope));
    if (answer?.body !== null) return false;
    this.owed.set(request, answer);
    return true;
  }

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const options = this.optionsOf(execution);
    const http = execution.switchToHttp();
    const request = http.getRequest<AgateRequest>();
    const owed = this.owed.get(request);
    if (owed) return defer(() => from(this.replay(owed, request, http.getResponse<Response>())));
    const key = options && keyOf(request);
    if (!options || !key) return next.handle();
    return defer(() => from(this.once(execution, next, key, options)));
  }

  private optionsOf(execution: ExecutionContext): IdempotentOptions | undefined {
    return this.reflector.get<IdempotentOptions | undefined>(IDEMPOTENT_KEY, execution.getHandler());
  }

  private async once(
    execution: ExecutionContext,
    next: CallHandler,
    key: string,
    options: IdempotentOptions,
  ): Promise<unknown> {
    const request = execution.switchToHttp().getRequest<AgateRequest>();
    const response = execution.switchToHttp().getResponse<Response>();
    const ctx = request.context;
    const scope = scopeOf(request, key);
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
  private async replay(answer: StoredAnswer, request: AgateRequest, response: Response): Promise<unknown> {
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
  (request: AgateRequest, response: Response, attempt: Attempt): UnitOfWork['run'] =>
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

/** The client's key, bare or quoted (the IETF draft's form), or null. */
function keyOf(request: AgateRequest): string | null {
  const sent = request.get('idempotency-key');
  if (sent === undefined) return null;
  const key = /^"(.*)"$/.exec(sent.trim())?.[1] ?? sent.trim();
  if (!isUuid(key)) throw AppError.validation([{ field: 'Idempotency-Key', messages: ['must be a UUID'] }]);
  return key.toLowerCase();
}

function scopeOf(request: AgateRequest, key: string): IdempotencyScope {
  const route = `${request.method} ${(request.route as { path: string }).path}`;
  const owner = partyOf(request.context.identity);
  const asked = JSON.stringify([request.path, sorted(request.query), sorted(request.body)]);
  return {
    id: sha256(`${owner}\n${route}\n${key}`),
    owner: sha256(owner),
    fingerprint: sha256(asked),
    sealContext: `idempotency|${owner}|${route}|${key}`,
  };
}

/** Nothing of a request that is refused is judged: what could not be asked at all was not asked before. */
function readableScopeOf(request: AgateRequest): IdempotencyScope | null {
  try {
    const key = keyOf(request);
    return key === null ? null : scopeOf(request, key);
  } catch {
    return null;
  }
}

/** The same value however its names are ordered. Bodies are not checked yet here: one nested without end ends here. */
function sorted(value: unknown, depth = 0): unknown {
  if (depth > MAX_DEPTH) throw AppError.validation([{ field: '', messages: ['is nested too deeply'] }]);
  if (Array.isArray(value)) return value.map((inner) => sorted(inner, depth + 1));
  if (typeof value !== 'object' || value === null) return value ?? null;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner, depth + 1)]),
  );
}

/** Another body is another operation: a key whose request was refused may come again with a right one. */
const operationOf = ({ id, fingerprint }: IdempotencyScope): string =>
  sha256(`${id.toString('hex')}\n${fingerprint.toString('hex')}`).toString('hex');

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
