import { type OnApplicationShutdown } from '@nestjs/common';
import { type ThrottlerStorage } from '@nestjs/throttler';
import { Redis } from 'ioredis';
import { type Logger } from '#infra/logging/logger';
import { toStorageRecord, type StorageRecord } from './storage-record';

/** Counts a hit and tells when its window ends, in one step: a window that has begun always ends. */
const HIT = `
local hits = redis.call('INCR', KEYS[1])
if hits == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return { hits, redis.call('PTTL', KEYS[1]) }`;

/** A request waits no longer for its counter than this, and then, for a while, no request waits at all. */
const TIMEOUT_MS = 250;
const AGAIN_MS = 1_000;

interface HitsClient extends Redis {
  hit(key: string, windowMs: number): Promise<[hits: number, msLeft: number]>;
}

/**
 * Counts hits in fixed windows, in Redis: the processes of a service share one budget. While Redis cannot be reached each
 * process counts on its own in `alone`, so that limits hold and nobody waits; the log says so once each time.
 */
export class RedisStorage implements ThrottlerStorage, OnApplicationShutdown {
  private readonly redis: HitsClient;
  private reachable = true;
  /** By the machine's own clock, which only goes forward. */
  private askAgainAt = 0;

  constructor(
    url: string,
    private readonly alone: ThrottlerStorage,
    private readonly logger: Logger,
  ) {
    const redis = new Redis(url, {
      keyPrefix: 'agate:limit:',
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: TIMEOUT_MS,
      connectTimeout: TIMEOUT_MS,
      retryStrategy: () => AGAIN_MS,
    });
    redis.defineCommand('hit', { numberOfKeys: 1, lua: HIT });
    redis.on('ready', () => this.turn(true));
    redis.on('error', (error) => this.turn(false, error));
    this.redis = redis as HitsClient;
  }

  async increment(
    key: string,
    ttl: number,
    limit: number,
    blockDuration: number,
    throttlerName: string,
  ): Promise<StorageRecord> {
    const hit = performance.now() < this.askAgainAt ? null : await this.hit(key, ttl);
    return hit
      ? toStorageRecord(hit.hits, hit.msLeft, limit)
      : this.alone.increment(key, ttl, limit, blockDuration, throttlerName);
  }

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }

  /** Null when Redis does not say. */
  private async hit(key: string, windowMs: number): Promise<{ hits: number; msLeft: number } | null> {
    try {
      const [hits, msLeft] = await this.redis.hit(key, windowMs);
      // A Redis that hung and goes on has never been away for its connection.
      this.turn(true);
      return { hits, msLeft };
    } catch (error) {
      this.askAgainAt = performance.now() + AGAIN_MS;
      this.turn(false, error);
      return null;
    }
  }

  private turn(reachable: boolean, error?: unknown): void {
    if (this.reachable === reachable) return;
    this.reachable = reachable;
    if (!reachable) {
      this.logger.warn({ err: error }, 'Redis cannot be reached: each process counts its rate limits on its own');
      return;
    }
    this.askAgainAt = 0;
    this.logger.info({}, 'Redis is back: the processes share their rate limits again');
  }
}
