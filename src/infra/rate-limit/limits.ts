import { type CustomDecorator, SetMetadata } from '@nestjs/common';

export interface LimitClass {
  readonly limit: number;
  readonly windowSeconds: number;
}

/** How often a credential (or, without one, an address) may use the routes of a class (contract §15). */
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
 * How often one e-mail address may be in the body of such requests, whoever sends them: whose mailbox it is did not ask for the
 * mails, nor for the guesses. Routes that mail only known addresses are not here: they answer the same for ever, and the mails
 * are counted where they are written (specification §4).
 */
export const PER_EMAIL: Partial<Record<LimitClassName, LimitClass>> = {
  login: { limit: 10, windowSeconds: 60 },
  signup: { limit: 3, windowSeconds: 3600 },
  password: { limit: 3, windowSeconds: 3600 },
  invite: { limit: 10, windowSeconds: 3600 },
};

/** All requests of one address, before anybody looks at their credentials. */
export const ADDRESS_LIMIT: LimitClass = { limit: 3000, windowSeconds: 60 };

export const LIMIT_KEY = 'agate:limit';

/** Declares the rate-limit class of a route. */
export const Limit = (name: LimitClassName): CustomDecorator => SetMetadata(LIMIT_KEY, name);
