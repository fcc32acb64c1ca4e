import { type CustomDecorator, SetMetadata } from '@nestjs/common';

/** A number of requests per window. */
export interface RequestLimit {
  readonly limit: number;
  readonly windowSeconds: number;
}

export interface LimitClass extends RequestLimit {
  /** The requests that the class limits, for the documentation. */
  readonly describe: string;
}

/**
 * Rate limits per route class (docs/api-behaviour.md#rate-limits). Each route is counted separately. Requests with a credential are counted
 * per developer or project, others per address. The limits are defaults of the variables `RATE_LIMIT_<CLASS>`. Pages, their files,
 * downloads and refreshes have room for an office of some hundred people behind one address.
 */
export const LIMIT_CLASSES = {
  read: { limit: 600, windowSeconds: 60, describe: 'Reading.' },
  heavy: { limit: 60, windowSeconds: 60, describe: 'Searching, counting over whole lists, and exporting.' },
  write: { limit: 120, windowSeconds: 60, describe: 'Changing.' },
  upload: { limit: 60, windowSeconds: 60, describe: 'Starting and completing uploads.' },
  part: { limit: 1200, windowSeconds: 60, describe: 'Sending parts of resumable uploads.' },
  diagnose: { limit: 20, windowSeconds: 300, describe: "Checking an organization's own storage." },
  download: { limit: 300, windowSeconds: 60, describe: 'Creating download URLs.' },
  login: { limit: 30, windowSeconds: 60, describe: 'Logging in and logging out.' },
  refresh: {
    limit: 300,
    windowSeconds: 60,
    describe: 'Refreshing a session, and requesting the token of a program that logs in.',
  },
  password: { limit: 10, windowSeconds: 300, describe: 'Account changes that need the password or a code.' },
  signup: { limit: 20, windowSeconds: 3600, describe: 'Signing up.' },
  mail: { limit: 10, windowSeconds: 3600, describe: 'Requesting a mail to an account.' },
  invite: { limit: 60, windowSeconds: 3600, describe: 'Inviting members.' },
  'tester-mail': { limit: 600, windowSeconds: 3600, describe: 'Mailing install links to testers.' },
  device: { limit: 60, windowSeconds: 3600, describe: 'Registering iPhones and iPads through install links.' },
  page: {
    limit: 1200,
    windowSeconds: 60,
    describe: 'Pages that browsers open, and manifests and packages of install links.',
  },
  asset: { limit: 3000, windowSeconds: 60, describe: 'Style sheets, scripts, icons and QR codes of pages.' },
  'download-bytes': { limit: 1200, windowSeconds: 60, describe: 'Downloads with a download URL.' },
  update: {
    limit: 3000,
    windowSeconds: 60,
    describe: 'Checks for updates by installed apps, and the feeds and packages of update keys.',
  },
  events: { limit: 60, windowSeconds: 60, describe: 'Opening streams of events.' },
  docs: { limit: 240, windowSeconds: 60, describe: 'The OpenAPI document and Swagger UI, together.' },
  'webhook-test': { limit: 3, windowSeconds: 60, describe: 'Sending tests to webhooks.' },
  webhook: { limit: 1200, windowSeconds: 60, describe: 'Notifications of the payment provider.' },
  health: { limit: 1200, windowSeconds: 60, describe: 'Liveness and readiness.' },
} as const satisfies Record<string, LimitClass>;

export type LimitClassName = keyof typeof LIMIT_CLASSES;

/** Limit of all requests of one address, counted before authentication. Default of `RATE_LIMIT_ADDRESS`. */
const ADDRESS_LIMIT: LimitClass = { limit: 6000, windowSeconds: 60, describe: 'All requests of one address.' };

/** The limits that a variable configures: of a route class, or of all requests of an address. */
export type LimitName = LimitClassName | 'address';

export const LIMITS: Readonly<Record<LimitName, LimitClass>> = { ...LIMIT_CLASSES, address: ADDRESS_LIMIT };

/** A network (IPv4 /24, IPv6 /48) may send this many times the limit of one of its addresses. */
export const NETWORK_FACTOR = 10;

/**
 * Additional limits per e-mail address in the body, regardless of the sender: they protect the owner of a mailbox against
 * unwanted mails. Logins are not listed: `LoginProtectionService` counts their failures and does not lock the owner out. Routes that
 * mail only registered addresses are not listed, because they must always respond the same; their mails are limited where they are
 * written.
 */
export const PER_EMAIL: Partial<Record<LimitClassName, RequestLimit>> = {
  signup: { limit: 3, windowSeconds: 3600 },
  password: { limit: 3, windowSeconds: 3600 },
  invite: { limit: 10, windowSeconds: 3600 },
};

export const LIMIT_KEY = 'agate:limit';

/** Declares the rate-limit class of a route. `Heavy` declares the class `heavy`. */
export const Limit = (name: Exclude<LimitClassName, 'heavy'>): CustomDecorator => SetMetadata(LIMIT_KEY, name);
