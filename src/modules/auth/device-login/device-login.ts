import { type PatScope } from '#kernel/access/roles';
import { AppError, type AppErrorOptions } from '#kernel/errors/app-error';

export type DeviceDecision = 'confirmed' | 'denied';

/** A program's request to start a login. */
export interface DeviceLoginDraft {
  /** The name of the machine, as the program gives it. */
  readonly host: string;
  readonly scopes: readonly PatScope[];
}

/** The codes of a new login, which only the response of its start contains. */
export interface StartedDeviceLogin {
  readonly deviceCode: string;
  readonly userCode: string;
}

/** A login, as shown to the developer who enters its code. */
export interface DeviceLogin extends DeviceLoginDraft {
  readonly address: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** Null until the developer has decided. */
  readonly decision: DeviceDecision | null;
  /** The organization of the token. Null unless the login is confirmed. */
  readonly organizationId: string | null;
}

export const DEVICE_LOGIN_MINUTES = 10;
/** The number of seconds that a program must wait between two requests for its token, at first. */
export const POLL_SECONDS = 5;
/** The number of seconds that are added after a program was too fast (RFC 8628, section 3.5). */
export const SLOW_DOWN_SECONDS = 5;

/** The reasons why a program does not get its token: the error codes of RFC 8628, section 3.5. */
export type PollRejection = 'authorization_pending' | 'slow_down' | 'expired_token' | 'access_denied';

const REJECTIONS: Readonly<Record<PollRejection, AppErrorOptions>> = {
  authorization_pending: {
    message: 'The login is not confirmed yet. Repeat the request after the interval.',
    details: { reason: 'authorization_pending' },
  },
  slow_down: {
    message: 'The requests come too fast. Wait five seconds longer between two requests from now on.',
    details: { reason: 'slow_down' },
  },
  expired_token: {
    message: 'The code expired, was used, or does not exist. Start a new login.',
    details: { reason: 'expired_token' },
  },
  access_denied: {
    message:
      'The login was cancelled in the browser, or the session that confirmed it has ended. Start a new one if that was a mistake.',
    details: { reason: 'access_denied' },
  },
};

export const pollRejected = (rejection: PollRejection): AppError =>
  new AppError('operation_not_allowed', REJECTIONS[rejection]);
