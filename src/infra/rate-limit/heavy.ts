import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import { defer, firstValueFrom, from, type Observable } from 'rxjs';
import { Semaphore } from '#infra/concurrency/semaphore';
import { RateLimitConfig } from '#infra/config/config';
import { turnOf } from '#infra/database/pool/turn-of';
import { type AppRequest } from '#infra/http/request/app-request';
import { HeavyRead } from './heavy-read';
import { LIMIT_KEY, type LimitClassName } from './limits';

const MESSAGE =
  'Too many searches, counts and exports of this organization run at the same time. Wait for the seconds in Retry-After, then retry.';

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

/** Lets a heavy request wait for its turn, until its client disconnects. */
@Injectable()
export class HeavyInterceptor implements NestInterceptor {
  constructor(
    private readonly turns: HeavyTurns,
    private readonly config: RateLimitConfig,
  ) {}

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (this.config.rateLimitFactor === 0) return next.handle();
    const { context } = execution.switchToHttp().getRequest<AppRequest>();
    const handle = (): Promise<unknown> => firstValueFrom(next.handle(), { defaultValue: undefined });
    return defer(() => from(this.turns.run(handle, { lane: turnOf(context).lane, signal: context.signal })));
  }
}

/**
 * Declares that a route reads or streams much: its rate-limit class is `heavy`, its statements are heavy (see `HeavyRead`), and two requests
 * of an organization to such routes run at the same time. Further ones wait for a moment, then get 429. `Idempotent` must stand above it,
 * because the interceptor of the lowest decorator runs first: no transaction is open while a request waits.
 */
export const Heavy = (): MethodDecorator =>
  applyDecorators(
    SetMetadata(LIMIT_KEY, 'heavy' satisfies LimitClassName),
    HeavyRead(),
    UseInterceptors(HeavyInterceptor),
  );
