import { createHash } from 'node:crypto';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ThrottlerStorage } from '@nestjs/throttler';
import { type Response } from 'express';
import { principalOf } from '#kernel/context/identity';
import { emailKeyOf } from '#kernel/text/email-address';
import { AppError } from '#kernel/errors/app-error';
import { RateLimitConfig } from '#infra/config/config';
import { type AppRequest } from '#infra/http/request/app-request';
import { Metrics } from '#infra/metrics/metrics';
import { clientNetwork } from './client-network';
import { AbuseDetector } from './abuse-detector';
import { ADDRESS_LIMIT, LIMIT_CLASSES, LIMIT_KEY, type LimitClass, type LimitClassName, PER_EMAIL } from './limits';
import { type StorageRecord } from './fixed-window-storage';

/** A counter and the limit that applies to it. */
interface LimitedCounter {
  readonly key: string;
  readonly limit: number;
  readonly windowSeconds: number;
}

/**
 * Counts a request and rejects it with `429` and `Retry-After` when a counter exceeds its limit. Uses the throttler
 * library's counters but not its guard, which sets the rate-limit headers from the last counter instead of the one that
 * rejects.
 */
@Injectable()
abstract class CounterGuard implements CanActivate {
  constructor(
    @Inject(ThrottlerStorage) private readonly storage: ThrottlerStorage,
    @Inject(Metrics) private readonly metrics: Metrics,
    @Inject(RateLimitConfig) private readonly config: RateLimitConfig,
    @Inject(Reflector) protected readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.config.rateLimitFactor === 0) return true;
    const http = context.switchToHttp();
    const request = http.getRequest<AppRequest>();
    for (const counter of this.countersOf(context, request)) {
      const limit = Math.max(1, Math.round(counter.limit * this.config.rateLimitFactor));
      const hit = await this.storage.increment(counter.key, counter.windowSeconds * 1000, limit, 0, 'default');
      setHeaders(http.getResponse<Response>(), limit, hit);
      if (hit.isBlocked) this.reject(context, hit.timeToExpire);
    }
    return true;
  }

  protected abstract countersOf(context: ExecutionContext, request: AppRequest): readonly LimitedCounter[];

  /** Label of the metric: the class of the route, or `address`. */
  protected abstract classOf(context: ExecutionContext): LimitClassName | 'address';

  protected reject(context: ExecutionContext, seconds: number): never {
    this.metrics.count('agate_rate_limited_total', { class: this.classOf(context) });
    throw new AppError('rate_limit_exceeded', {
      retryAfterSeconds: seconds,
      details: { retry_after_seconds: seconds },
    });
  }
}

/**
 * Sets the rate-limit headers. With several counters, they describe the one that rejects, or else the one with the least
 * remaining.
 */
function setHeaders(response: Response, limit: number, { totalHits, timeToExpire, isBlocked }: StorageRecord): void {
  const remaining = Math.max(0, limit - totalHits);
  const current = response.getHeader('RateLimit-Remaining');
  if (!isBlocked && current !== undefined && Number(current) <= remaining) return;
  response.setHeader('RateLimit-Limit', String(limit));
  response.setHeader('RateLimit-Remaining', String(remaining));
  response.setHeader('RateLimit-Reset', String(timeToExpire));
}

/** Limits the requests of one address, before authentication. */
@Injectable()
export class AddressLimitGuard extends CounterGuard {
  protected countersOf(_context: ExecutionContext, request: AppRequest): readonly LimitedCounter[] {
    return [{ ...ADDRESS_LIMIT, key: `address|${clientNetwork(request.context.sourceIp)}` }];
  }

  protected classOf(): 'address' {
    return 'address';
  }
}

/**
 * Limits the requests to a route class, after authentication: per credential, or per address for anonymous requests. Some
 * classes are also limited per e-mail address in the body.
 */
@Injectable()
export class RouteLimitGuard extends CounterGuard {
  @Inject(AbuseDetector)
  private readonly abuseDetector: AbuseDetector;

  protected override reject(context: ExecutionContext, seconds: number): never {
    this.abuseDetector.countRejection(context.switchToHttp().getRequest<AppRequest>().context);
    return super.reject(context, seconds);
  }

  protected countersOf(context: ExecutionContext, request: AppRequest): readonly LimitedCounter[] {
    const name = this.classOf(context);
    const limitClass: LimitClass = LIMIT_CLASSES[name];
    const { identity, sourceIp } = request.context;
    const owner = identity.kind === 'anonymous' ? clientNetwork(sourceIp) : principalOf(identity);
    const counters = [{ ...limitClass, key: `${name}|${owner}` }];
    const perEmail = PER_EMAIL[name];
    const email = emailOf(request.body);
    if (perEmail && email !== undefined) counters.push({ ...perEmail, key: `${name}|email|${digestOf(email)}` });
    return counters;
  }

  protected classOf(context: ExecutionContext): LimitClassName {
    return this.reflector.get<LimitClassName>(LIMIT_KEY, context.getHandler());
  }
}

/** Returns the e-mail address in a body, normalized like account addresses, so that its spelling does not matter. */
function emailOf(body: unknown): string | undefined {
  const { email, new_email: newEmail } = (body ?? {}) as { email?: unknown; new_email?: unknown };
  const address = email ?? newEmail;
  return typeof address === 'string' ? emailKeyOf(address.trim().slice(0, 1000)) : undefined;
}

/** Counters store digests instead of e-mail addresses. */
const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url');
