import { type OnApplicationShutdown } from '@nestjs/common';
import { type ThrottlerStorage } from '@nestjs/throttler';
import { Redis } from 'ioredis';
import { type Logger } from '#infra/logging/logger';
import { type StorageRecord, toStorageRecord } from './fixed-window-storage';

/** Counts a request and returns the rest of its window, atomically: a window that has started always expires. */
const HIT = `
local hits = redis.call('INCR', KEYS[1])
if hits == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return { hits, redis.call('PTTL', KEYS[1]) }`;

/** A request waits this long for Redis. After a timeout, no request tries Redis until RETRY_MS has passed. */
const TIMEOUT_MS = 250;
const RETRY_MS = 1_000;

interface HitsClient extends Redis {
  hit(key: string, windowMs: number): Promise<[hits: number, msLeft: number]>;
}

/**
 * Counts requests in fixed windows, in Redis, so that all processes share their counters. While Redis is unavailable each
 * process counts in `fallback`, so that limits still hold and no request waits; each change is logged once.
 */
export class RedisStorage implements ThrottlerStorage, OnApplicationShutdown {
  private readonly redis: HitsClient;
  private reachable = true;
  /** On the monotonic clock. */
  private retryAt = 0;

  constructor(
    url: string,
    private readonly fallback: ThrottlerStorage,
    private readonly logger: Logger,
  ) {
    const redis = new Redis(url, {
      keyPrefix: 'agate:limit:',
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: TIMEOUT_MS,
      connectTimeout: TIMEOUT_MS,
      retryStrategy: () => RETRY_MS,
    });
    redis.defineCommand('hit', { numberOfKeys: 1, lua: HIT });
    redis.on('ready', () => this.setReachable(true));
    redis.on('error', (error) => this.setReachable(false, error));
    this.redis = redis as HitsClient;
  }

  async increment(
    key: string,
    ttl: number,
    limit: number,
    blockDuration: number,
    throttlerName: string,
  ): Promise<StorageRecord> {
    const hit = performance.now() < this.retryAt ? null : await this.hit(key, ttl);
    return hit
      ? toStorageRecord(hit.hits, hit.msLeft, limit)
      : this.fallback.increment(key, ttl, limit, blockDuration, throttlerName);
  }

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }

  /** Null when Redis is unavailable. */
  private async hit(key: string, windowMs: number): Promise<{ hits: number; msLeft: number } | null> {
    try {
      const [hits, msLeft] = await this.redis.hit(key, windowMs);
      // A Redis that stopped responding and recovers keeps its connection, so no `ready` event is emitted.
      this.setReachable(true);
      return { hits, msLeft };
    } catch (error) {
      this.retryAt = performance.now() + RETRY_MS;
      this.setReachable(false, error);
      return null;
    }
  }

  private setReachable(reachable: boolean, error?: unknown): void {
    if (this.reachable === reachable) return;
    this.reachable = reachable;
    if (!reachable) {
      this.logger.warn({ err: error }, 'Redis is unavailable: this process counts its rate limits in memory');
      return;
    }
    this.retryAt = 0;
    this.logger.info({}, 'Redis is available again: rate limits are shared between processes');
  }
}
