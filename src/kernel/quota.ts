import { AppError } from '#kernel/errors/app-error';

/** How many of something one owner may have (contract §17). */
export interface Quota {
  /** `projects_per_organization` */
  readonly name: string;
  readonly limit: number;
}

/** @throws AppError quota_exceeded when `used` leaves no room for one more. `advice` says what the limit is and what to do. */
export function requireRoom({ name, limit }: Quota, used: number, advice: string): void {
  if (used < limit) return;
  throw new AppError('quota_exceeded', { message: advice, details: { quota: name, limit } });
}
