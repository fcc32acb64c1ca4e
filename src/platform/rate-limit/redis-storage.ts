import { type OnApplicationShutdown } from '@nestjs/common';
import { type ThrottlerStorage } from '@nestjs/throttler';
import { Redis } from 'ioredis';
import { type Logger } from '#platform/logging/logger';
import { toStorageRecord, type StorageRecord } from './storage-record';

/** Counts a hit and tells when its window ends, in one step: a window that has begun always ends. */
const HIT = `
local hits = redis.call('INCR', KEYS[1])
if hits == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return { hits, redis.call('PTTL', KEYS[1]) }`;

/** A request waits no longer for its counter than this. */
const TIMEOUT_MS = 250;
const RECONNECT_MS = 1_000;

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
      retryStrategy: () => RECONNECT_MS,
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
    try {
      const [hits, msLeft] = await this.redis.hit(key, ttl);
      return toStorageRecord(hits, msLeft, limit);
    } catch (error) {
      this.turn(false, error);
      return this.alone.increment(key, ttl, limit, blockDuration, throttlerName);
    }
  }

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }

  private turn(reachable: boolean, error?: unknown): void {
    if (this.reachable === reachable) return;
    this.reachable = reachable;
    if (reachable) this.logger.info({}, 'Redis is back: the processes share their rate limits again');
    else this.logger.warn({ err: error }, 'Redis cannot be reached: each process counts its rate limits on its own');
  }
}
