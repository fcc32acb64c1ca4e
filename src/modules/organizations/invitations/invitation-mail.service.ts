import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { HttpConfig } from '#infra/config/config';
import { MailOutbox } from '#infra/mail/mail-outbox';
import { renderMail } from '#infra/mail/render-mail';
import { DevelopersService } from '#modules/developers';
import { INVITATION_MAIL } from './invitation-mail';

/** Mails the link with which a person accepts an invitation, in the language of their account if they have one. */
@Injectable()
export class InvitationMailService {
  constructor(
    private readonly outbox: MailOutbox,
    private readonly config: HttpConfig,
    private readonly developers: DevelopersService,
  ) {}

  async send(
    ctx: RequestContext,
    to: string,
    { id, organization, token }: { id: string; organization: string; token: string },
  ): Promise<void> {
    const url = `${this.config.baseUrl}/api/v1/organizations/invitations/accept?token=${token}`;
    const mail = renderMail(INVITATION_MAIL[await this.developers.languageOf(ctx, to)], { organization, url });
    return this.outbox.queue(ctx, { to: { address: to }, ...mail }, { recipient: { kind: 'invitation', id } });
  }
}
