import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { HttpConfig } from '#infra/config/config';
import { MailOutbox } from '#infra/mail/mail-outbox';
import { renderMail, translatedMail } from '#infra/mail/render-mail';
import { DevelopersService } from '#modules/developers';

interface InvitationMailData {
  readonly organization: string;
  readonly url: string;
}

const INVITATION_MAIL = translatedMail<InvitationMailData>({
  en: ({ organization, url }) => ({
    subject: `Join ${organization} on Agate`,
    title: `You are invited to ${organization}`,
    paragraphs: [
      `The organization ${organization} uses Agate to share test versions of its apps. It invites you to join.`,
      { url, label: 'See the invitation' },
      'The invitation is valid for seven days, for an account with this e-mail address. If you do not know the organization, ignore this mail.',
    ],
  }),
  de: ({ organization, url }) => ({
    subject: `Einladung zu ${organization} bei Agate`,
    title: `Sie sind zu ${organization} eingeladen`,
    paragraphs: [
      `Die Organisation ${organization} verteilt mit Agate Testversionen ihrer Apps. Sie lädt Sie ein, Mitglied zu werden.`,
      { url, label: 'Einladung ansehen' },
      'Die Einladung gilt sieben Tage, für ein Konto mit dieser E-Mail-Adresse. Wenn Sie die Organisation nicht kennen, ignorieren Sie diese E-Mail.',
    ],
  }),
});

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
