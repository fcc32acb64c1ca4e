import { Injectable } from '@nestjs/common';
import { type ThrottlerStorage } from '@nestjs/throttler';
import { Clock } from '#kernel/time/clock';
import { type StorageRecord, toStorageRecord } from './storage-record';

interface Window {
  hits: number;
  endsAt: number;
}

const PRUNE_ABOVE = 10_000;

/**
 * Counts hits in fixed windows, in memory: one number per key, whatever the number of hits (the library's own storage
 * keeps a list of all of them). For one process; several share their counters in `RedisStorage`.
 */
@Injectable()
export class FixedWindowStorage implements ThrottlerStorage {
  private readonly windows = new Map<string, Window>();

  constructor(private readonly clock: Clock) {}

  increment(key: string, ttl: number, limit: number): Promise<StorageRecord> {
    const now = this.clock.now().getTime();
    let window = this.windows.get(key);
    if (!window || window.endsAt <= now) {
      if (this.windows.size >= PRUNE_ABOVE) this.prune(now);
      window = { hits: 0, endsAt: now + ttl };
      this.windows.set(key, window);
    }
    window.hits++;
    return Promise.resolve(toStorageRecord(window.hits, window.endsAt - now, limit));
  }

  private prune(now: number): void {
    for (const [key, window] of this.windows) if (window.endsAt <= now) this.windows.delete(key);
  }
}
