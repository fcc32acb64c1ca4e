import { type ProjectRole } from '#kernel/access/roles';
import { utcDate } from '#kernel/text/utc-date';
import { type MailText } from '#infra/mail/mail-parts';
import { translatedMail } from '#infra/mail/render-mail';

/** The removal of a member, for modules that keep data of the member. */
export interface MemberRemoval {
  readonly organizationId: string;
  readonly developerId: string;
  /** Whether the project access tokens that the member created or rotated last are revoked. */
  readonly revokeTokens: boolean;
}

/** A valid project access token that a removed member created or rotated last, so that they may know its value. */
export interface LeftToken {
  readonly id: string;
  readonly projectId: string;
  readonly projectName: string;
  readonly name: string;
  readonly role: ProjectRole;
  readonly last4: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
}

/** The mail lists this many tokens and the number of the others, so that its size is bounded. */
const LISTED = 50;

/** The names of the roles, as the dashboard shows them. */
const ROLES_EN: Readonly<Record<ProjectRole, string>> = {
  VIEW_PROJECT: 'View project',
  DOWNLOAD_BUILD: 'Download builds',
  UPLOAD_BUILD: 'Upload builds',
  MANAGE_TESTERS: 'Manage testers',
  MANAGE_RELEASES: 'Manage releases',
  MANAGE_PROJECT: 'Manage project',
};

const ROLES_DE: Readonly<Record<ProjectRole, string>> = {
  VIEW_PROJECT: 'Projekt ansehen',
  DOWNLOAD_BUILD: 'Builds herunterladen',
  UPLOAD_BUILD: 'Builds hochladen',
  MANAGE_TESTERS: 'Tester verwalten',
  MANAGE_RELEASES: 'Freigaben verwalten',
  MANAGE_PROJECT: 'Projekt verwalten',
};

interface MemberRemovalMailData {
  readonly organization: string;
  /** The e-mail address of the removed member. */
  readonly member: string;
  readonly revoked: boolean;
  readonly tokens: readonly LeftToken[];
}

/** Informs an ADMIN about the project access tokens whose values a removed member may know. */
export const MEMBER_REMOVAL_MAIL = translatedMail<MemberRemovalMailData>({
  en: ({ organization, member, revoked, tokens }): MailText => ({
    subject: revoked
      ? `The project access tokens of ${member} were revoked`
      : `${member} left project access tokens behind`,
    title: `${member} is no longer a member of ${organization}`,
    paragraphs: [
      `${member} created, or was the last to rotate, these project access tokens of ${organization}:`,
      {
        list: tokens.slice(0, LISTED).map((token) => ({
          name: nameOf(token),
          detail: `${ROLES_EN[token.role]} in ${token.projectName}, created on ${utcDate(token.createdAt, 'en')}`,
          url: null,
        })),
      },
      ...(tokens.length > LISTED ? [`and ${tokens.length - LISTED} more`] : []),
      revoked
        ? 'They were revoked with the removal. Replace them where a script or CI still uses them.'
        : 'They still work, because they belong to their projects, and this person may know their values. Rotate or revoke each of them.',
    ],
  }),
  de: ({ organization, member, revoked, tokens }): MailText => ({
    subject: revoked
      ? `Die Projekt-Zugriffstoken von ${member} wurden widerrufen`
      : `${member} hinterlässt Projekt-Zugriffstoken`,
    title: `${member} ist kein Mitglied von ${organization} mehr`,
    paragraphs: [
      `${member} hat diese Projekt-Zugriffstoken von ${organization} erstellt oder zuletzt erneuert:`,
      {
        list: tokens.slice(0, LISTED).map((token) => ({
          name: nameOf(token),
          detail: `${ROLES_DE[token.role]} in ${token.projectName}, erstellt am ${utcDate(token.createdAt, 'de')}`,
          url: null,
        })),
      },
      ...(tokens.length > LISTED ? [`und ${tokens.length - LISTED} weitere`] : []),
      revoked
        ? 'Sie wurden mit der Entfernung widerrufen. Ersetzen Sie sie, wo ein Skript oder CI sie noch verwendet.'
        : 'Sie funktionieren weiterhin, weil sie zu ihren Projekten gehören, und diese Person kennt vielleicht ihre Werte. Erneuern oder widerrufen Sie jedes davon.',
    ],
  }),
});

const nameOf = ({ name, last4 }: LeftToken): string => `${name} (…${last4})`;
