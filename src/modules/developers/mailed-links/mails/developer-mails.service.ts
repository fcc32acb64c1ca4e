import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { HttpConfig } from '#infra/config/config';
import { MailOutbox } from '#infra/mail/mail-outbox';
import { renderMail, type TranslatedMail } from '#infra/mail/render-mail';
import { type DeveloperEntity } from '../../developer.entity';
import { LINK_HOURS } from '../developer-link.entity';
import { type NoticeData } from './account-mail-texts';
import { ACCOUNT_MAILS } from './account-mails';

type Recipient = Pick<DeveloperEntity, 'id' | 'email' | 'name' | 'language'>;

/** Queues the mails of an account, in the account's language. Their links are built from `BASE_URL`, never from the headers of a request. */
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

  newSession(ctx: RequestContext, to: Recipient): Promise<void> {
    return this.queue(ctx, to, ACCOUNT_MAILS.newSession, this.noticeOf(ctx));
  }

  newToken(
    ctx: RequestContext,
    to: Recipient,
    { last4, scopes }: { readonly last4: string; readonly scopes: readonly string[] },
  ): Promise<void> {
    return this.queue(ctx, to, ACCOUNT_MAILS.newToken, { ...this.noticeOf(ctx), last4, scopes });
  }

  secondFactorChanged(ctx: RequestContext, to: Recipient, state: 'on' | 'off'): Promise<void> {
    const mail = state === 'on' ? ACCOUNT_MAILS.secondFactorOn : ACCOUNT_MAILS.secondFactorOff;
    return this.queue(ctx, to, mail, this.noticeOf(ctx));
  }

  secondFactorReset(ctx: RequestContext, to: Recipient): Promise<void> {
    return this.queue(ctx, to, ACCOUNT_MAILS.secondFactorReset, { resetUrl: this.forgottenUrl });
  }

  private noticeOf({ clock, sourceIp }: RequestContext): NoticeData {
    const time = `${clock.now().toISOString().slice(0, 16).replace('T', ' ')} UTC`;
    return { time, address: sourceIp ?? '?', resetUrl: this.forgottenUrl };
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
