import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import { type Response } from 'express';
import { defer, firstValueFrom, from, type Observable } from 'rxjs';
import { AppError } from '#kernel/errors/app-error';
import { Semaphore } from '#infra/concurrency/semaphore';
import { RateLimitConfig } from '#infra/config/config';
import { turnOf } from '#infra/database/pool/turn-of';
import { type AppRequest } from '#infra/http/request/app-request';
import { disconnectionOf } from '#infra/http/response/disconnection';
import { LIMIT_KEY, type LimitClassName } from './limits';

const MESSAGE =
  'Too many searches, counts and exports of this organization run at the same time. Wait for the seconds in Retry-After, then retry.';
const GONE = 'The client disconnected before its response was complete.';

/** The heavy requests that run, of all organizations. Each of them has places of its own, so a slow client delays only its colleagues. */
@Injectable()
export class HeavyTurns extends Semaphore {
  constructor() {
    super({
      places: Infinity,
      runningPerLane: 2,
      waitingPerLane: 16,
      waitMs: 5_000,
      retryAfterSeconds: 2,
      messages: { laneIsFull: MESSAGE, noPlaceInTime: MESSAGE },
    });
  }
}

/** Lets a heavy request wait for its turn. It stops waiting, for its place and for the database, when its client disconnects. */
@Injectable()
export class HeavyInterceptor implements NestInterceptor {
  constructor(
    private readonly turns: HeavyTurns,
    private readonly config: RateLimitConfig,
  ) {}

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = execution.switchToHttp();
    const request = http.getRequest<AppRequest>();
    const signal = disconnectionOf(
      http.getResponse<Response>(),
      () => new AppError('operation_not_allowed', { message: GONE }),
    );
    request.context = { ...request.context, signal };
    if (this.config.rateLimitFactor === 0) return next.handle();
    const handle = (): Promise<unknown> => firstValueFrom(next.handle(), { defaultValue: undefined });
    return defer(() => from(this.turns.run(handle, { lane: turnOf(request.context).lane, signal })));
  }
}

/**
 * Declares that a route reads or streams much: its rate-limit class is `heavy`, and two requests of an organization to such routes run at the
 * same time. Further ones wait for a moment, then get 429.
 */
export const Heavy = (): MethodDecorator =>
  applyDecorators(SetMetadata(LIMIT_KEY, 'heavy' satisfies LimitClassName), UseInterceptors(HeavyInterceptor));
