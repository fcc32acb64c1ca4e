import { type CustomDecorator, SetMetadata } from '@nestjs/common';

export interface LimitClass {
  readonly limit: number;
  readonly windowSeconds: number;
}

/**
 * Rate limits per route class, counted per credential or, for anonymous requests, per address
 * (docs/api-behaviour.md#rate-limits).
 */
export const LIMIT_CLASSES = {
  read: { limit: 600, windowSeconds: 60 },
  write: { limit: 120, windowSeconds: 60 },
  upload: { limit: 60, windowSeconds: 60 },
  part: { limit: 1200, windowSeconds: 60 },
  diagnose: { limit: 20, windowSeconds: 300 },
  download: { limit: 300, windowSeconds: 60 },
  login: { limit: 30, windowSeconds: 60 },
  password: { limit: 10, windowSeconds: 300 },
  signup: { limit: 20, windowSeconds: 3600 },
  mail: { limit: 10, windowSeconds: 3600 },
  invite: { limit: 60, windowSeconds: 3600 },
  'tester-mail': { limit: 600, windowSeconds: 3600 },
  page: { limit: 300, windowSeconds: 60 },
  webhook: { limit: 1200, windowSeconds: 60 },
  health: { limit: 1200, windowSeconds: 60 },
} as const satisfies Record<string, LimitClass>;

export type LimitClassName = keyof typeof LIMIT_CLASSES;

/**
 * Additional limits per e-mail address in the body, regardless of the sender: they protect the owner of a mailbox against
 * unwanted mails. Logins are not listed: their failures are counted by `LoginProtectionService`, which does not lock the owner out. Routes that mail only registered addresses are not listed, because they must always
 * respond the same; their mails are limited where they are written.
 */
export const PER_EMAIL: Partial<Record<LimitClassName, LimitClass>> = {
  signup: { limit: 3, windowSeconds: 3600 },
  password: { limit: 3, windowSeconds: 3600 },
  invite: { limit: 10, windowSeconds: 3600 },
};

/** Limit of all requests of one address, counted before authentication. */
export const ADDRESS_LIMIT: LimitClass = { limit: 3000, windowSeconds: 60 };

export const LIMIT_KEY = 'agate:limit';

/** Declares the rate-limit class of a route. */
export const Limit = (name: LimitClassName): CustomDecorator => SetMetadata(LIMIT_KEY, name);
