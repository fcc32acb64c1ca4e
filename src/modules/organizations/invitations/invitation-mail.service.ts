import { Injectable } from '@nestjs/common';
import { ORGANIZATION_ROLES, type OrganizationRole } from '#kernel/access/roles';
import { developerOf, type RequestContext } from '#kernel/context/request-context';
import { isHarmlessName, isHarmlessTitle } from '#kernel/text/harmless-name';
import { HttpConfig } from '#infra/config/config';
import { MailOutbox } from '#infra/mail/mail-outbox';
import { renderMail, translatedMail } from '#infra/mail/render-mail';
import { DevelopersService } from '#modules/developers';

interface InvitationMailData {
  /** Its name, null when that cannot stand in a mail to a stranger. */
  readonly organization: string | null;
  /** The name of the member who invites, or the address. */
  readonly inviter: string;
  readonly roles: readonly OrganizationRole[];
  readonly url: string;
}

interface InvitationToMail {
  readonly id: string;
  readonly token: string;
  /** The name of the organization. */
  readonly organization: string;
  readonly roles: readonly OrganizationRole[];
}

const ROLES_EN: Readonly<Record<OrganizationRole, string>> = {
  MEMBER: 'Member',
  READ: 'Read',
  AUDITOR: 'Auditor',
  BILLING: 'Billing',
  MANAGER: 'Manager',
  ADMIN: 'Admin',
};

const ROLES_DE: Readonly<Record<OrganizationRole, string>> = {
  MEMBER: 'Mitglied',
  READ: 'Lesen',
  AUDITOR: 'Prüfung',
  BILLING: 'Abrechnung',
  MANAGER: 'Verwaltung',
  ADMIN: 'Administration',
};

/** The names of the roles, from the highest to the lowest. */
const listed = (
  roles: readonly OrganizationRole[],
  names: Readonly<Record<OrganizationRole, string>>,
  tag: string,
): string =>
  new Intl.ListFormat(tag).format(
    ORGANIZATION_ROLES.filter((role) => roles.includes(role))
      .reverse()
      .map((role) => names[role]),
  );

export const INVITATION_MAIL = translatedMail<InvitationMailData>({
  en: ({ organization, inviter, roles, url }) => ({
    subject: `${inviter} invites you to ${organization ?? 'an organization'}`,
    title: `${inviter} invites you to ${organization ?? 'an organization'} as ${listed(roles, ROLES_EN, 'en-GB')}`,
    paragraphs: [
      `${organization ?? 'The organization'} uses Agate to share test versions of its apps.`,
      { url, label: `Join ${organization ?? 'the organization'}` },
      'The invitation is valid for seven days, for an account with this e-mail address. If you know neither the person nor the organization, ignore this mail.',
    ],
  }),
  de: ({ organization, inviter, roles, url }) => ({
    subject: `${inviter} lädt Sie zu ${organization ?? 'einer Organisation'} ein`,
    title: `${inviter} lädt Sie zu ${organization ?? 'einer Organisation'} ein`,
    paragraphs: [
      `${organization ?? 'Die Organisation'} verteilt mit Agate Testversionen ihrer Apps. Ihre Rolle: ${listed(roles, ROLES_DE, 'de')}.`,
      { url, label: `${organization ?? 'Der Organisation'} beitreten` },
      'Die Einladung gilt sieben Tage, für ein Konto mit dieser E-Mail-Adresse. Wenn Sie weder die Person noch die Organisation kennen, ignorieren Sie diese E-Mail.',
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

  /** The caller is the inviter. */
  async send(
    ctx: RequestContext,
    to: string,
    { id, token, roles, organization: chosen }: InvitationToMail,
  ): Promise<void> {
    const { developerId, email } = developerOf(ctx);
    const name = (await this.developers.findMany(ctx, [developerId])).get(developerId)?.name ?? '';
    const inviter = isHarmlessName(name) ? name : email;
    const url = `${this.config.baseUrl}/api/v1/organizations/invitations/accept?token=${token}`;
    const language = await this.developers.languageOf(ctx, to);
    const organization = isHarmlessTitle(chosen) ? chosen : null;
    const mail = renderMail(INVITATION_MAIL[language], { organization, roles, inviter, url });
    return this.outbox.queue(ctx, { to: { address: to }, ...mail }, { recipient: { kind: 'invitation', id } });
  }
}
