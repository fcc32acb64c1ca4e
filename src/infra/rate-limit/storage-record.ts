import { type ThrottlerStorage } from '@nestjs/throttler';

export type StorageRecord = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** Converts a window's request count and remaining time to the library's record. */
export function toStorageRecord(hits: number, msLeft: number, limit: number): StorageRecord {
  const seconds = Math.max(1, Math.ceil(msLeft / 1000));
  const isBlocked = hits > limit;
  return { totalHits: hits, timeToExpire: seconds, isBlocked, timeToBlockExpire: isBlocked ? seconds : 0 };
}
