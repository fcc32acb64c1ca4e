import { createHash } from 'node:crypto';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ThrottlerStorage } from '@nestjs/throttler';
import { type Response } from 'express';
import { principalOf } from '#kernel/context/identity';
import { emailKeyOf } from '#kernel/text/email-key';
import { AppError } from '#kernel/errors/app-error';
import { RateLimitConfig } from '#infra/config/config';
import { type AppRequest } from '#infra/http/request/app-request';
import { Metrics } from '#infra/metrics/metrics';
import { clientNetwork } from './client-network';
import { AbuseDetector } from './abuse-detector';
import { ADDRESS_LIMIT, LIMIT_CLASSES, LIMIT_KEY, type LimitClass, type LimitClassName, PER_EMAIL } from './limits';
import { type StorageRecord } from './storage-record';

/** One counter that a request is held against. */
interface Budget {
  readonly key: string;
  readonly limit: number;
  readonly windowSeconds: number;
}

/**
 * Holds each request against its budgets; `429` with `Retry-After` and `details.retry_after_seconds` beyond (contract §15).
 * The library's counters, not its guard: that one's headers tell of the budget that was asked last, and never of the one that refused.
 */
@Injectable()
abstract class BudgetGuard implements CanActivate {
  constructor(
    @Inject(ThrottlerStorage) private readonly counters: ThrottlerStorage,
    @Inject(Metrics) private readonly metrics: Metrics,
    @Inject(RateLimitConfig) private readonly config: RateLimitConfig,
    @Inject(Reflector) protected readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.config.rateLimitFactor === 0) return true;
    const http = context.switchToHttp();
    const request = http.getRequest<AppRequest>();
    for (const budget of this.budgetsOf(context, request)) {
      const limit = Math.max(1, Math.round(budget.limit * this.config.rateLimitFactor));
      const hit = await this.counters.increment(budget.key, budget.windowSeconds * 1000, limit, 0, 'default');
      tell(http.getResponse<Response>(), limit, hit);
      if (hit.isBlocked) this.refuse(context, hit.timeToExpire);
    }
    return true;
  }

  protected abstract budgetsOf(context: ExecutionContext, request: AppRequest): readonly Budget[];

  /** What the limit is called: the class of the route, or `address`. */
  protected abstract classOf(context: ExecutionContext): LimitClassName | 'address';

  protected refuse(context: ExecutionContext, seconds: number): never {
    this.metrics.count('agate_rate_limited_total', { class: this.classOf(context) });
    throw new AppError('rate_limit_exceeded', {
      retryAfterSeconds: seconds,
      details: { retry_after_seconds: seconds },
    });
  }
}

/** Of several budgets the headers tell of the one that refused, or else of the one with the least left. */
function tell(response: Response, limit: number, { totalHits, timeToExpire, isBlocked }: StorageRecord): void {
  const remaining = Math.max(0, limit - totalHits);
  const told = response.getHeader('RateLimit-Remaining');
  if (!isBlocked && told !== undefined && Number(told) <= remaining) return;
  response.setHeader('RateLimit-Limit', String(limit));
  response.setHeader('RateLimit-Remaining', String(remaining));
  response.setHeader('RateLimit-Reset', String(timeToExpire));
}

/** Before anybody looks at credentials: all that comes from one address. */
@Injectable()
export class AddressLimitGuard extends BudgetGuard {
  protected budgetsOf(_context: ExecutionContext, request: AppRequest): readonly Budget[] {
    return [{ ...ADDRESS_LIMIT, key: `address|${clientNetwork(request.context.sourceIp)}` }];
  }

  protected classOf(): 'address' {
    return 'address';
  }
}

/** Once it is known who asks: the class of the route, by credential or else by address, and some also by the e-mail they speak of. */
@Injectable()
export class RouteLimitGuard extends BudgetGuard {
  @Inject(AbuseDetector)
  private readonly floods: AbuseDetector;

  protected override refuse(context: ExecutionContext, seconds: number): never {
    this.floods.refused(context.switchToHttp().getRequest<AppRequest>().context);
    return super.refuse(context, seconds);
  }

  protected budgetsOf(context: ExecutionContext, request: AppRequest): readonly Budget[] {
    const name = this.classOf(context);
    const limitClass: LimitClass = LIMIT_CLASSES[name];
    const { identity, sourceIp } = request.context;
    const owner = identity.kind === 'anonymous' ? clientNetwork(sourceIp) : principalOf(identity);
    const budgets = [{ ...limitClass, key: `${name}|${owner}` }];
    const perEmail = PER_EMAIL[name];
    const email = emailOf(request.body);
    if (perEmail && email !== undefined) budgets.push({ ...perEmail, key: `${name}|email|${digestOf(email)}` });
    return budgets;
  }

  protected classOf(context: ExecutionContext): LimitClassName {
    return this.reflector.get<LimitClassName>(LIMIT_KEY, context.getHandler());
  }
}

/** The address that a body speaks of, as accounts are told apart: however it is written, it has one budget. */
function emailOf(body: unknown): string | undefined {
  const { email, new_email: newEmail } = (body ?? {}) as { email?: unknown; new_email?: unknown };
  const address = email ?? newEmail;
  return typeof address === 'string' ? emailKeyOf(address.trim().slice(0, 1000)) : undefined;
}

/** Counters hold no addresses in clear. */
const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url');
