import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type BrowserName } from '#kernel/text/browser-name';
import { isHarmlessName } from '#kernel/text/harmless-name';
import { type Language } from '#kernel/text/language';
import { utcTime } from '#kernel/text/utc-date';
import { HttpConfig } from '#infra/config/config';
import { MailOutbox } from '#infra/mail/mail-outbox';
import { renderMail, type TranslatedMail, translatedMail } from '#infra/mail/render-mail';
import { type DeveloperEntity, LINK_HOURS } from '../../developer.entity';
import { type NoticeData, type VerifyEmailData } from './account-mail-texts';
import { DE } from './account-mails.de';
import { EN } from './account-mails.en';

const withHarmlessName = ({ name, ...data }: VerifyEmailData): VerifyEmailData =>
  name !== undefined && isHarmlessName(name) ? { name, ...data } : data;

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

type Recipient = Pick<DeveloperEntity, 'id' | 'email' | 'name' | 'language'>;

/**
 * Queues the mails of an account, in the account's language. Their links are built from `BASE_URL`, never from the headers of a request.
 */
@Injectable()
export class DeveloperMailsService {
  private readonly base: string;

  constructor(
    private readonly outbox: MailOutbox,
    config: HttpConfig,
  ) {
    this.base = `${config.baseUrl}/api/v1/developers`;
  }

  verifyEmail(ctx: RequestContext, to: Recipient, token: string): Promise<void> {
    const url = `${this.base}/${to.id}/verify_email?token=${token}`;
    const expiresInHours = LINK_HOURS.verify_email;
    return this.queue(ctx, to, ACCOUNT_MAILS.verifyEmail, {
      url,
      expiresInHours,
      ...(to.name !== null && { name: to.name }),
    });
  }

  resetPassword(ctx: RequestContext, to: Recipient, token: string): Promise<void> {
    const url = `${this.base}/reset_password?token=${token}`;
    return this.queue(ctx, to, ACCOUNT_MAILS.resetPassword, { url, expiresInHours: LINK_HOURS.reset_password });
  }

  /** The link is one that resets the password. When it has expired, the page of `resetUrl` mails another one. */
  invited(ctx: RequestContext, to: Recipient, token: string): Promise<void> {
    const url = `${this.base}/reset_password?token=${token}`;
    const data = { url, expiresInHours: LINK_HOURS.reset_password, resetUrl: this.forgottenUrl };
    return this.queue(ctx, to, ACCOUNT_MAILS.invited, data);
  }

  alreadyRegistered(ctx: RequestContext, to: Recipient): Promise<void> {
    return this.queue(ctx, to, ACCOUNT_MAILS.alreadyRegistered, { resetUrl: this.forgottenUrl });
  }

  passwordChanged(ctx: RequestContext, to: Recipient): Promise<void> {
    return this.queue(ctx, to, ACCOUNT_MAILS.passwordChanged, { resetUrl: this.forgottenUrl });
  }

  wrongCodes(ctx: RequestContext, to: Recipient): Promise<void> {
    return this.queue(ctx, to, ACCOUNT_MAILS.wrongCodes, { resetUrl: this.forgottenUrl });
  }

  confirmNewEmail(ctx: RequestContext, to: Recipient, token: string): Promise<void> {
    const url = `${this.base}/${to.id}/change_email?token=${token}`;
    return this.queue(ctx, to, ACCOUNT_MAILS.confirmNewEmail, { url, expiresInHours: LINK_HOURS.change_email });
  }

  emailChanged(ctx: RequestContext, to: Recipient): Promise<void> {
    return this.queue(ctx, to, ACCOUNT_MAILS.emailChanged, {});
  }

  newSession(ctx: RequestContext, to: Recipient, browser: BrowserName | null): Promise<void> {
    return this.queue(ctx, to, ACCOUNT_MAILS.newSession, { ...this.noticeOf(ctx, to.language), browser });
  }

  newToken(
    ctx: RequestContext,
    to: Recipient,
    { last4, scopes }: { readonly last4: string; readonly scopes: readonly string[] },
  ): Promise<void> {
    return this.queue(ctx, to, ACCOUNT_MAILS.newToken, { ...this.noticeOf(ctx, to.language), last4, scopes });
  }

  secondFactorChanged(ctx: RequestContext, to: Recipient, state: 'on' | 'off'): Promise<void> {
    const mail = state === 'on' ? ACCOUNT_MAILS.secondFactorOn : ACCOUNT_MAILS.secondFactorOff;
    return this.queue(ctx, to, mail, this.noticeOf(ctx, to.language));
  }

  secondFactorReset(ctx: RequestContext, to: Recipient): Promise<void> {
    return this.queue(ctx, to, ACCOUNT_MAILS.secondFactorReset, { resetUrl: this.forgottenUrl });
  }

  private noticeOf({ clock, sourceIp }: RequestContext, language: Language): NoticeData {
    return { time: utcTime(clock.now(), language), address: sourceIp ?? '?', resetUrl: this.forgottenUrl };
  }

  private get forgottenUrl(): string {
    return `${this.base}/reset_password`;
  }

  private queue<Data extends object>(
    ctx: RequestContext,
    to: Recipient,
    mail: TranslatedMail<Data>,
    data: Data,
  ): Promise<void> {
    const draft = { to: { address: to.email }, ...renderMail(mail[to.language], data) };
    return this.outbox.queue(ctx, draft, { recipient: { kind: 'developer', id: to.id } });
  }
}
