import { createHash } from 'node:crypto';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type Response } from 'express';
import { accountOf } from '#kernel/context/identity';
import { emailKeyOf, trimAddress } from '#kernel/text/email-address';
import { RateLimitConfig } from '#infra/config/config';
import { type AppRequest } from '#infra/http/request/app-request';
import { AbuseDetector } from './abuse-detector';
import { LIMIT_KEY, type LimitClassName, PER_EMAIL } from './limits';
import { type LimitedCounter, RateLimiter } from './rate-limiter';

/** Limits the requests of one address, before authentication. */
@Injectable()
export class AddressLimitGuard implements CanActivate {
  constructor(private readonly limiter: RateLimiter) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const { sourceIp } = http.getRequest<AppRequest>().context;
    await this.limiter.count(
      'address',
      this.limiter.forAddress('address', 'address', sourceIp),
      http.getResponse<Response>(),
    );
    return true;
  }
}

/**
 * Limits the requests to a route, after authentication: per developer or project, whichever of their credentials is used, or per address
 * for other requests. The route's class gives the limit. Some classes are also limited per e-mail address in the body.
 */
@Injectable()
export class RouteLimitGuard implements CanActivate {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly abuseDetector: AbuseDetector,
    private readonly config: RateLimitConfig,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<AppRequest>();
    const name = this.reflector.get<LimitClassName>(LIMIT_KEY, context.getHandler());
    const route = `${context.getClass().name}.${context.getHandler().name}`;
    try {
      await this.limiter.count(name, this.countersOf(name, route, request), http.getResponse<Response>());
    } catch (error) {
      this.abuseDetector.countRejection(request.context);
      throw error;
    }
    return true;
  }

  private countersOf(name: LimitClassName, route: string, request: AppRequest): readonly LimitedCounter[] {
    const { identity, sourceIp } = request.context;
    const account = accountOf(identity);
    const counters =
      account === null
        ? this.limiter.forAddress(name, route, sourceIp)
        : this.limiter.forAccount(name, `${route}|${account}`);
    const perEmail = PER_EMAIL[name];
    const email = emailOf(request.body);
    if (!perEmail || email === undefined) return counters;
    const limit = this.config.scaled(perEmail.limit);
    return [...counters, { ...perEmail, limit, key: `${name}|email|${digestOf(email)}` }];
  }
}

/** Returns the e-mail address in a body, normalized like account addresses, so that its spelling does not matter. */
function emailOf(body: unknown): string | undefined {
  const { email, new_email: newEmail } = (body ?? {}) as { email?: unknown; new_email?: unknown };
  const address = email ?? newEmail;
  return typeof address === 'string' ? emailKeyOf(trimAddress(address).slice(0, 1000)) : undefined;
}

/** Counters store digests instead of e-mail addresses. */
const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url');
