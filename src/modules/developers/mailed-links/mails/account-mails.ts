import { translatedMail } from '#infra/mail/render-mail';
import { type VerifyEmailData } from './account-mail-texts';
import { DE } from './account-mails.de';
import { EN } from './account-mails.en';

const HARMLESS_NAME = /^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} ,'’-]{0,39}$/u;

const withHarmlessName = ({ name, ...data }: VerifyEmailData): VerifyEmailData =>
  name !== undefined && HARMLESS_NAME.test(name) ? { name, ...data } : data;

/** The mails of an account, in every language. */
export const ACCOUNT_MAILS = {
  /**
   * Asks the owner of an address to confirm a sign-up. An attacker can sign up with the address of a victim and any name, so
   * the mail contains the name only if it cannot carry a message or a link.
   */
  verifyEmail: translatedMail<VerifyEmailData>({
    en: (data) => EN.verifyEmail(withHarmlessName(data)),
    de: (data) => DE.verifyEmail(withHarmlessName(data)),
  }),
  /** Replaces the verification mail when the address already has an account, because the HTTP response must not reveal it. */
  alreadyRegistered: translatedMail({ en: EN.alreadyRegistered, de: DE.alreadyRegistered }),
  /** Sent when an operator created the account. */
  invited: translatedMail({ en: EN.invited, de: DE.invited }),
  resetPassword: translatedMail({ en: EN.resetPassword, de: DE.resetPassword }),
  /** Sent after every change of the password. */
  passwordChanged: translatedMail({ en: EN.passwordChanged, de: DE.passwordChanged }),
  /** Sent when wrong codes of the second factor follow the correct password. */
  wrongCodes: translatedMail({ en: EN.wrongCodes, de: DE.wrongCodes }),
  /** Sent to a new address. Opening the link proves that the developer owns it. */
  confirmNewEmail: translatedMail({ en: EN.confirmNewEmail, de: DE.confirmNewEmail }),
  /** Sent to the old address after the change. */
  emailChanged: translatedMail({ en: EN.emailChanged, de: DE.emailChanged }),
  secondFactorOn: translatedMail({ en: EN.secondFactorOn, de: DE.secondFactorOn }),
  secondFactorOff: translatedMail({ en: EN.secondFactorOff, de: DE.secondFactorOff }),
  /** Sent when an operator removed the second factor. */
  secondFactorReset: translatedMail({ en: EN.secondFactorReset, de: DE.secondFactorReset }),
  newToken: translatedMail({ en: EN.newToken, de: DE.newToken }),
  /** Sent after a login from a network without an earlier session. */
  newSession: translatedMail({ en: EN.newSession, de: DE.newSession }),
};
