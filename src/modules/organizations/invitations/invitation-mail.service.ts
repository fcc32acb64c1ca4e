import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { HttpConfig } from '#infra/config/config';
import { MailOutbox } from '#infra/mail/mail-outbox';
import { loadMailTemplate, renderMail } from '#infra/mail/render-mail';

interface InvitationMailData {
  readonly organization: string;
  readonly url: string;
}

const INVITATION = loadMailTemplate<InvitationMailData>(
  join(__dirname, 'invitation'),
  ({ organization }) => `Join ${organization} on Agate`,
);

/** Mails the link with which a person accepts an invitation. */
@Injectable()
export class InvitationMailService {
  constructor(
    private readonly outbox: MailOutbox,
    private readonly config: HttpConfig,
  ) {}

  send(
    ctx: RequestContext,
    to: string,
    { id, organization, token }: { id: string; organization: string; token: string },
  ): Promise<void> {
    const url = `${this.config.baseUrl}/api/v1/organizations/invitations/accept?token=${token}`;
    const mail = renderMail(INVITATION, { organization, url });
    return this.outbox.queue(ctx, { to: { address: to }, ...mail }, { recipient: { kind: 'invitation', id } });
  }
}
