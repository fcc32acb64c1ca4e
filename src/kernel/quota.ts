import { AppError } from '#kernel/errors/app-error';

/** The maximum number of objects of one kind that an owner may have. */
export interface Quota {
  /** For example `projects_per_organization`. */
  readonly name: string;
  readonly limit: number;
}

/** A quota and how much of it is used. */
export interface QuotaUse extends Quota {
  readonly used: number;
}

/**
 * @param advice message of the error: the limit, and what to do.
 * @throws AppError quota_exceeded when `used` has reached the limit.
 */
export function requireRoom({ name, limit }: Quota, used: number, advice: string): void {
  if (used < limit) return;
  throw new AppError('quota_exceeded', { message: advice, details: { quota: name, limit } });
}
