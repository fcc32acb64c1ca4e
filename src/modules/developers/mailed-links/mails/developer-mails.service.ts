import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { HttpConfig } from '#infra/config/config';
import { MailOutbox } from '#infra/mail/mail-outbox';
import { type MailTemplate, renderMail } from '#infra/mail/render-mail';
import { type DeveloperEntity } from '../../developer.entity';
import { LINK_HOURS } from '../developer-link.entity';
import {
  ALREADY_REGISTERED,
  CONFIRM_NEW_EMAIL,
  EMAIL_CHANGED,
  PASSWORD_CHANGED,
  RESET_PASSWORD,
  VERIFY_EMAIL,
  WRONG_CODES,
} from './account-mails';

type Recipient = Pick<DeveloperEntity, 'id' | 'email' | 'name'>;

/** Queues the mails of an account. Their links are built from `BASE_URL`, never from the headers of a request. */
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
    return this.queue(ctx, to, VERIFY_EMAIL, { url, expiresInHours, ...(to.name !== null && { name: to.name }) });
  }

  resetPassword(ctx: RequestContext, to: Recipient, token: string): Promise<void> {
    const url = `${this.base}/reset_password?token=${token}`;
    return this.queue(ctx, to, RESET_PASSWORD, { url, expiresInHours: LINK_HOURS.reset_password });
  }

  alreadyRegistered(ctx: RequestContext, to: Recipient): Promise<void> {
    return this.queue(ctx, to, ALREADY_REGISTERED, { resetUrl: this.forgottenUrl });
  }

  passwordChanged(ctx: RequestContext, to: Recipient): Promise<void> {
    return this.queue(ctx, to, PASSWORD_CHANGED, { resetUrl: this.forgottenUrl });
  }

  wrongCodes(ctx: RequestContext, to: Recipient): Promise<void> {
    return this.queue(ctx, to, WRONG_CODES, { resetUrl: this.forgottenUrl });
  }

  confirmNewEmail(ctx: RequestContext, to: Recipient, token: string): Promise<void> {
    const url = `${this.base}/${to.id}/change_email?token=${token}`;
    return this.queue(ctx, to, CONFIRM_NEW_EMAIL, { url, expiresInHours: LINK_HOURS.change_email });
  }

  emailChanged(ctx: RequestContext, to: Recipient): Promise<void> {
    return this.queue(ctx, to, EMAIL_CHANGED, {});
  }

  private get forgottenUrl(): string {
    return `${this.base}/reset_password`;
  }

  private queue<Data extends object>(
    ctx: RequestContext,
    to: Recipient,
    template: MailTemplate<Data>,
    data: Data,
  ): Promise<void> {
    const draft = { to: { address: to.email }, ...renderMail(template, data) };
    return this.outbox.queue(ctx, draft, { recipient: { kind: 'developer', id: to.id } });
  }
}
