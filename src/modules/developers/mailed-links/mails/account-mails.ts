import { join } from 'node:path';
import { loadMailTemplate } from '#infra/mail/render-mail';

interface VerifyEmailData {
  readonly name?: string;
  readonly url: string;
  readonly expiresInHours: number;
}

interface LinkData {
  readonly url: string;
  readonly expiresInHours: number;
}

interface ResetUrlData {
  /** The page that requests a reset link. It contains no secret. */
  readonly resetUrl: string;
}

const load = <Data extends object>(name: string, subject: string) =>
  loadMailTemplate<Data>(join(__dirname, 'templates', name), () => subject);

const HARMLESS_NAME = /^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} ,'’-]{0,39}$/u;

const withHarmlessName = ({ name, ...data }: VerifyEmailData): VerifyEmailData =>
  name !== undefined && HARMLESS_NAME.test(name) ? { name, ...data } : data;

const verifyEmail = load<VerifyEmailData>('verify-email', 'Verify your e-mail address for Agate');

/**
 * Asks the owner of an address to confirm a sign-up. An attacker can sign up with the address of a victim and any name, so
 * the mail contains the name only if it cannot carry a message or a link.
 */
export const VERIFY_EMAIL: typeof verifyEmail = {
  ...verifyEmail,
  html: (data) => verifyEmail.html(withHarmlessName(data)),
  text: (data) => verifyEmail.text(withHarmlessName(data)),
};

/** Replaces the verification mail when the address already has an account, because the HTTP response must not reveal it. */
export const ALREADY_REGISTERED = load<ResetUrlData>('already-registered', 'You already have an Agate account');

export const RESET_PASSWORD = load<LinkData>('reset-password', 'Set a new password for Agate');

/** Sent after every change of the password. */
export const PASSWORD_CHANGED = load<ResetUrlData>('password-changed', 'Your Agate password was changed');

/** Sent when wrong codes of the second factor follow the correct password. */
export const WRONG_CODES = load<ResetUrlData>('wrong-codes', 'Agate: wrong codes were entered for your second factor');

/** Sent to a new address. Opening the link proves that the developer owns it. */
export const CONFIRM_NEW_EMAIL = load<LinkData>('confirm-new-email', 'Confirm your new address for Agate');

/** Sent to the old address after the change. */
export const EMAIL_CHANGED = load<object>('email-changed', 'Your Agate address was changed');
