import { type BrowserName } from '#kernel/text/browser-name';
import { type MailText } from '#infra/mail/mail-parts';

export interface VerifyEmailData {
  readonly name?: string;
  readonly url: string;
  readonly expiresInHours: number;
}

export interface LinkData {
  readonly url: string;
  readonly expiresInHours: number;
}

export interface ResetUrlData {
  /** The page that requests a reset link. It contains no secret. */
  readonly resetUrl: string;
}

/** When and from where the account was used. */
export interface NoticeData extends ResetUrlData {
  /** The time and its zone, in the language of the mail. */
  readonly time: string;
  /** The client's IP address. */
  readonly address: string;
}

export interface NewSessionData extends NoticeData {
  /** Null for an unknown program. */
  readonly browser: BrowserName | null;
}

/** The mail does not contain the token's name, which its creator chose and which could carry a message or a link. */
export interface NewTokenData extends NoticeData {
  /** The last four characters of the token. */
  readonly last4: string;
  readonly scopes: readonly string[];
}

/** The texts of one language. */
export interface AccountMailTexts {
  readonly verifyEmail: (data: VerifyEmailData) => MailText;
  readonly alreadyRegistered: (data: ResetUrlData) => MailText;
  readonly invited: (data: LinkData & ResetUrlData) => MailText;
  readonly resetPassword: (data: LinkData) => MailText;
  readonly passwordChanged: (data: ResetUrlData) => MailText;
  readonly wrongCodes: (data: ResetUrlData) => MailText;
  readonly confirmNewEmail: (data: LinkData) => MailText;
  readonly emailChanged: (data: object) => MailText;
  readonly secondFactorOn: (data: NoticeData) => MailText;
  readonly secondFactorOff: (data: NoticeData) => MailText;
  readonly secondFactorReset: (data: ResetUrlData) => MailText;
  readonly newToken: (data: NewTokenData) => MailText;
  readonly newSession: (data: NewSessionData) => MailText;
}
