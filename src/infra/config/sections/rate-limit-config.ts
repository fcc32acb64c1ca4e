import { IsInt, IsNumber, IsOptional, IsUrl, Max, Min } from 'class-validator';
import { LIMITS, type LimitName, NETWORK_FACTOR } from '#infra/rate-limit/limits';
import { Variable } from '../variable';

/** Rate limits. */
export class RateLimitConfig {
  @Variable('RATE_LIMIT_FACTOR', {
    default: '1',
    describe: 'Factor for every rate limit. 0 disables rate limiting and is rejected in production.',
  })
  @IsNumber()
  @Min(0)
  rateLimitFactor: number;

  @Variable('REDIS_URL', {
    secret: true,
    describe:
      'URL of a Redis in which several processes share their rate-limit counters. Default: each process counts in its memory.',
  })
  @IsOptional()
  @IsUrl({ protocols: ['redis', 'rediss'], require_tld: false, require_protocol: true })
  redisUrl: string | undefined;

  @Variable('MAX_STORED_ANSWER_BYTES', {
    default: String(64 * 1024 * 1024),
    describe:
      'Maximum size of the stored idempotent responses of one developer or project within a day. Above it, requests get 429.',
  })
  @IsInt()
  @Min(1)
  storedResponseBytes: number;

  /** Requests per window that a limit allows, multiplied by `RATE_LIMIT_FACTOR`; at least 1. */
  limitOf(name: LimitName): number {
    return this.scaled((this as unknown as Record<string, number>)[propertyOf(name)] ?? LIMITS[name].limit);
  }

  /** Requests per window that a limit allows to a whole network (IPv4 /24, IPv6 /48). */
  networkLimitOf(name: LimitName): number {
    return this.limitOf(name) * NETWORK_FACTOR;
  }

  /** Multiplies a limit by `RATE_LIMIT_FACTOR`; at least 1. */
  scaled(limit: number): number {
    return Math.max(1, Math.round(limit * this.rateLimitFactor));
  }
}

const propertyOf = (name: LimitName): string => `limit:${name}`;

/** The variable of a limit: `RATE_LIMIT_TESTER_MAIL` for `tester-mail`. */
export const limitVariableOf = (name: LimitName): string => `RATE_LIMIT_${name.toUpperCase().replaceAll('-', '_')}`;

for (const [name, { limit, windowSeconds, describe }] of Object.entries(LIMITS)) {
  const [target, property] = [RateLimitConfig.prototype, propertyOf(name as LimitName)];
  const text = `${describe} Maximum requests within ${windowSeconds} seconds.`;
  Variable(limitVariableOf(name as LimitName), { default: String(limit), describe: text })(target, property);
  // The type by which `loadConfig` converts the text of the variable.
  Reflect.defineMetadata('design:type', Number, target, property);
  for (const check of [IsInt(), Min(1), Max(1_000_000)]) check(target, property);
}
