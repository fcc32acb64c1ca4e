import { Inject, Injectable } from '@nestjs/common';
import { ThrottlerStorage } from '@nestjs/throttler';
import { type Response } from 'express';
import { AppError } from '#kernel/errors/app-error';
import { RateLimitConfig } from '#infra/config/config';
import { Metrics } from '#infra/metrics/metrics';
import { clientNetwork, widerNetwork } from '#infra/network/client-network';
import { type StorageRecord } from './fixed-window-storage';
import { type LimitName, LIMITS } from './limits';

/** A counter and the limit that applies to it. */
export interface LimitedCounter {
  readonly key: string;
  readonly limit: number;
  readonly windowSeconds: number;
}

/** Refusals of one counter in its window that are sent immediately. */
const PROMPT_REFUSALS = 100;
/** The time that each further refusal waits, in milliseconds. */
const REFUSAL_DELAY_MS = 1_000;
/** Refusals that wait in this process. While there are so many, further ones are sent immediately: each holds its request in memory. */
const MAX_DELAYED = 1_000;
/** Refusals of one counter that wait. One flood leaves the others of `MAX_DELAYED` to the counters of other clients. */
const MAX_DELAYED_PER_COUNTER = 200;

/**
 * Counts requests and rejects them with `429` and `Retry-After` when a counter exceeds its limit. Uses the throttler library's counters
 * but not its guard, which sets the rate-limit headers from the last counter instead of the one that rejects.
 */
@Injectable()
export class RateLimiter {
  private delayed = 0;
  private readonly delayedByCounter = new Map<string, number>();

  constructor(
    @Inject(ThrottlerStorage) private readonly storage: ThrottlerStorage,
    private readonly metrics: Metrics,
    private readonly config: RateLimitConfig,
  ) {}

  /**
   * Counts a request in all counters until one rejects it. A client that does not wait as `Retry-After` says waits for its refusals
   * (docs/decisions/0099-refusals-that-wait.md).
   * @throws AppError rate_limit_exceeded
   */
  async count(name: LimitName, counters: readonly LimitedCounter[], response: Response): Promise<void> {
    if (this.config.rateLimitFactor === 0) return;
    for (const { key, limit, windowSeconds } of counters) {
      const hit = await this.storage.increment(key, windowSeconds * 1000, limit, 0, 'default');
      setHeaders(response, limit, hit);
      if (!hit.isBlocked) continue;
      this.metrics.count('agate_rate_limited_total', { class: name });
      if (hit.totalHits > limit + PROMPT_REFUSALS) await this.delay(key, response);
      const seconds = hit.timeToExpire;
      throw new AppError('rate_limit_exceeded', {
        retryAfterSeconds: seconds,
        details: { retry_after_seconds: seconds },
      });
    }
  }

  /** Counts work that is left out, not rejected, above a limit. @returns false above it. */
  async admits({ key, limit, windowSeconds }: LimitedCounter): Promise<boolean> {
    if (this.config.rateLimitFactor === 0) return true;
    return !(await this.storage.increment(key, windowSeconds * 1000, limit, 0, 'default')).isBlocked;
  }

  /** Waits with a refusal, until its client disconnects. */
  private async delay(key: string, response: Response): Promise<void> {
    if (response.destroyed || this.delayed >= MAX_DELAYED || this.delayedOf(key) >= MAX_DELAYED_PER_COUNTER) return;
    this.countDelayed(key, 1);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, REFUSAL_DELAY_MS);
      response.once('close', () => {
        clearTimeout(timer);
        resolve();
      });
    });
    this.countDelayed(key, -1);
  }

  private delayedOf(key: string): number {
    return this.delayedByCounter.get(key) ?? 0;
  }

  private countDelayed(key: string, change: 1 | -1): void {
    this.delayed += change;
    const ofCounter = this.delayedOf(key) + change;
    if (ofCounter > 0) this.delayedByCounter.set(key, ofCounter);
    else this.delayedByCounter.delete(key);
  }

  /** The counter of an account. */
  forAccount(name: LimitName, key: string): readonly LimitedCounter[] {
    return [{ key, limit: this.config.limitOf(name), windowSeconds: LIMITS[name].windowSeconds }];
  }

  /**
   * The counters of a client without an account: one of its address, and a wider one of its network, because one client can have a thousand
   * addresses.
   */
  forAddress(name: LimitName, key: string, sourceIp: string | null): readonly LimitedCounter[] {
    const { windowSeconds } = LIMITS[name];
    return [
      { key: `${key}|${clientNetwork(sourceIp)}`, limit: this.config.limitOf(name), windowSeconds },
      { key: `${key}|net ${widerNetwork(sourceIp)}`, limit: this.config.networkLimitOf(name), windowSeconds },
    ];
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
