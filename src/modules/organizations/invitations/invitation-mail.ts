import { translatedMail } from '#infra/mail/render-mail';

export interface InvitationMailData {
  readonly organization: string;
  readonly url: string;
}

export const INVITATION_MAIL = translatedMail<InvitationMailData>({
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
