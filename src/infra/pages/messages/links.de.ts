import { type linksEn } from './links.en';

/** The texts of the pages before a link with rules opens, in German. */
export const linksDe: typeof linksEn = {
  password: {
    title: 'Passwort erforderlich',
    text: 'Dieser Link ist geschützt. Geben Sie das Passwort ein, das Sie mit ihm erhalten haben.',
    field: 'Passwort',
    submit: 'Weiter',
    wrong: 'Dieses Passwort ist falsch.',
  },
  signIn: {
    title: 'Anmelden',
    text: 'Dieser Link ist für eingeladene Tester. Geben Sie die E-Mail-Adresse ein, unter der Sie eingeladen wurden; Sie erhalten dann einen Code.',
    field: 'E-Mail-Adresse',
    submit: 'Code senden',
  },
  code: {
    title: 'Code eingeben',
    text: (email) =>
      `Wenn ${email} die Adresse eines Testers ist, wurde ein Code an sie gesendet. Er gilt zehn Minuten lang.`,
    field: 'Zugangscode',
    submit: 'Weiter',
    wrong: 'Dieser Code ist falsch oder abgelaufen.',
    again: 'Anderen Code senden oder andere Adresse verwenden',
  },
  members: {
    title: 'Nur für Mitglieder',
    text: 'Dieser Link ist für Mitglieder des Teams. Melden Sie sich an, um ihn zu öffnen.',
    open: 'Als Mitglied öffnen',
  },
  terms: {
    title: 'Bedingungen',
    text: 'Lesen und akzeptieren Sie diese Bedingungen, um fortzufahren.',
    submit: 'Akzeptieren und weiter',
  },
  tooMany: 'Zu viele Versuche. Warten Sie die Prüfung unten ab und versuchen Sie es dann noch einmal.',
};
