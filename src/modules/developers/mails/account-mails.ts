import { join } from 'node:path';
import { loadMailTemplate } from '#infra/mail/render-mail';

export interface VerifyEmailData {
  readonly name?: string;
  readonly url: string;
  readonly expiresInHours: number;
}

export interface AlreadyRegisteredData {
  readonly resetUrl: string;
}

export interface ResetPasswordData {
  readonly url: string;
  readonly expiresInHours: number;
}

export interface PasswordChangedData {
  readonly resetUrl: string;
}

const load = <Data extends object>(name: string, subject: string) =>
  loadMailTemplate<Data>(join(__dirname, name), () => subject);

const verifyEmail = load<VerifyEmailData>('verify-email', 'Verify your e-mail address for Agate');

/**
 * Asks the owner of an address whether they signed up. Whoever signs up chooses the name, with anybody's address: a
 * "name" that could carry a message or a link of theirs is left out.
 */
export const VERIFY_EMAIL: typeof verifyEmail = {
  ...verifyEmail,
  html: (data) => verifyEmail.html(withHarmlessName(data)),
  text: (data) => verifyEmail.text(withHarmlessName(data)),
};

/** Instead of a verification, to an address that has an account: the answer over HTTP does not tell. */
export const ALREADY_REGISTERED = load<AlreadyRegisteredData>(
  'already-registered',
  'You already have an Agate account',
);

export const RESET_PASSWORD = load<ResetPasswordData>('reset-password', 'Set a new password for Agate');

/** After every change of the password. Holds no secret. */
export const PASSWORD_CHANGED = load<PasswordChangedData>('password-changed', 'Your Agate password was changed');

const HARMLESS_NAME = /^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} ,'’-]{0,39}$/u;

const withHarmlessName = ({ name, ...data }: VerifyEmailData): VerifyEmailData =>
  name !== undefined && HARMLESS_NAME.test(name) ? { name, ...data } : data;

/** While somebody who has the password tries codes of the second factor. Holds no secret. */
export const WRONG_CODES = load<PasswordChangedData>(
  'wrong-codes',
  'Somebody gives wrong codes of your second factor for Agate',
);

/** To a new address: using its link proves that it is theirs. */
export const CONFIRM_NEW_EMAIL = load<ResetPasswordData>('confirm-new-email', 'Confirm your new address for Agate');

/** To the old address, after the change. Holds no secret. */
export const EMAIL_CHANGED = load<object>('email-changed', 'Your Agate address was changed');
