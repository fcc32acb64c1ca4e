import { Injectable } from '@nestjs/common';
import { type ThrottlerStorage } from '@nestjs/throttler';
import { LRUCache } from 'lru-cache';
import { Clock } from '#kernel/context/clock';

export type StorageRecord = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** Converts a window's request count and remaining time to the library's record. */
export function toStorageRecord(hits: number, msLeft: number, limit: number): StorageRecord {
  const seconds = Math.max(1, Math.ceil(msLeft / 1000));
  const isBlocked = hits > limit;
  return { totalHits: hits, timeToExpire: seconds, isBlocked, timeToBlockExpire: isBlocked ? seconds : 0 };
}

interface Window {
  hits: number;
  endsAt: number;
}

/** The maximum number of entries per window length. An entry takes about 300 bytes. */
const MAX_WINDOWS = 100_000;

/**
 * Counts requests in fixed windows, in memory: one number per key (the library's storage keeps a list of all requests). When
 * there are too many keys, the least recently used one is evicted. Counters are per process; several processes share theirs
 * in `RedisStorage`.
 */
@Injectable()
export class FixedWindowStorage implements ThrottlerStorage {
  /** Windows by length. Separate caches, so that many one-minute windows cannot evict one-hour windows. */
  private readonly windows = new Map<number, LRUCache<string, Window>>();

  constructor(
    private readonly clock: Clock,
    private readonly maxWindows = MAX_WINDOWS,
  ) {}

  increment(key: string, ttl: number, limit: number): Promise<StorageRecord> {
    const now = this.clock.now().getTime();
    const windows = this.windowsOf(ttl);
    let window = windows.get(key);
    if (!window || window.endsAt <= now) {
      window = { hits: 0, endsAt: now + ttl };
      windows.set(key, window);
    }
    window.hits++;
    return Promise.resolve(toStorageRecord(window.hits, window.endsAt - now, limit));
  }

  private windowsOf(length: number): LRUCache<string, Window> {
    const windows = this.windows.get(length) ?? new LRUCache({ max: this.maxWindows });
    this.windows.set(length, windows);
    return windows;
  }
}
