import { type ThrottlerStorage } from '@nestjs/throttler';

export type StorageRecord = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** What the library wants to know of a window with so many hits that ends in so many milliseconds. */
export function toStorageRecord(hits: number, msLeft: number, limit: number): StorageRecord {
  const seconds = Math.max(1, Math.ceil(msLeft / 1000));
  const isBlocked = hits > limit;
  return { totalHits: hits, timeToExpire: seconds, isBlocked, timeToBlockExpire: isBlocked ? seconds : 0 };
}
