import { Injectable } from '@nestjs/common';
import { type ThrottlerStorage } from '@nestjs/throttler';
import { LRUCache } from 'lru-cache';
import { Clock } from '#kernel/context/clock';
import { type StorageRecord, toStorageRecord } from './storage-record';

interface Window {
  hits: number;
  endsAt: number;
}

/** Of each length; some 300 bytes each. */
const MAX_WINDOWS = 100_000;

/**
 * Counts hits in fixed windows, in memory: one number per key, whatever the number of hits (the library's own storage
 * keeps a list of all of them). Of too many keys the one that was silent for longest is forgotten, so that whoever keeps coming
 * stays counted. For one process; several share their counters in `RedisStorage`.
 */
@Injectable()
export class FixedWindowStorage implements ThrottlerStorage {
  /** By length: those of a minute come and go by the thousand, and must not push out those of an hour. */
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
