import { type BrowserName } from '#kernel/text/browser-name';
import { type MailText } from '#infra/mail/mail-parts';
import {
  type AccountMailTexts,
  type LinkData,
  type NewSessionData,
  type NewTokenData,
  type NoticeData,
  type ResetUrlData,
  type VerifyEmailData,
} from './account-mail-texts';

const hours = (count: number): string => `${count} ${count === 1 ? 'Stunde' : 'Stunden'}`;
const setPassword = (url: string) => ({ url, label: 'Neues Passwort wählen' });

function nameOf(browser: BrowserName | null): string {
  if (browser === null) return 'einem unbekannten Programm';
  return browser.system === null ? browser.program : `${browser.program} auf ${browser.system}`;
}

const secondFactorChanged = (what: string, { time, address, resetUrl }: NoticeData): MailText => ({
  subject: `Agate: Ihr zweiter Faktor wurde ${what}`,
  title: `Ihr zweiter Faktor wurde ${what}`,
  paragraphs: [
    `Der zweite Faktor Ihres Agate-Kontos wurde am ${time} von der Adresse ${address} aus ${what}. Alle Sitzungen wurden beendet.`,
    'Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht, wählen Sie sofort ein neues Passwort und bitten Sie den Betreiber dieses Dienstes, den zweiten Faktor zurückzusetzen:',
    setPassword(resetUrl),
  ],
});

export const DE: AccountMailTexts = {
  verifyEmail: ({ name, url, expiresInHours }: VerifyEmailData) => ({
    subject: 'Bestätigen Sie Ihre E-Mail-Adresse für Agate',
    title: 'Bestätigen Sie Ihre E-Mail-Adresse',
    paragraphs: [
      name === undefined ? 'Guten Tag,' : `Guten Tag ${name},`,
      'mit dieser Adresse wurde ein Konto bei Agate angelegt. Bitte bestätigen Sie, dass sie Ihnen gehört.',
      { url, label: 'E-Mail-Adresse bestätigen' },
      {
        footnote: `Der Link gilt einmal und läuft nach ${hours(expiresInHours)} ab. Wenn Sie kein Konto angelegt haben, ignorieren Sie diese E-Mail: Ohne den Link geschieht nichts.`,
      },
    ],
  }),
  alreadyRegistered: ({ resetUrl }: ResetUrlData) => ({
    subject: 'Sie haben schon ein Agate-Konto',
    title: 'Sie haben schon ein Konto',
    paragraphs: [
      'Jemand, vermutlich Sie selbst, wollte mit dieser Adresse ein Konto bei Agate anlegen. Zu der Adresse gibt es schon ein Konto, und es wurde nichts geändert. Sie können sich anmelden.',
      'Wenn Sie das Passwort vergessen haben, wählen Sie ein neues:',
      setPassword(resetUrl),
      'Wenn Sie das nicht waren, können Sie diese E-Mail ignorieren.',
    ],
  }),
  invited: ({ url, expiresInHours, resetUrl }: LinkData & ResetUrlData) => ({
    subject: 'Ihr Agate-Konto ist bereit',
    title: 'Ihr Konto ist bereit',
    paragraphs: [
      'Der Betreiber dieses Dienstes hat für diese Adresse ein Agate-Konto angelegt. Wählen Sie das Passwort:',
      setPassword(url),
      {
        footnote: `Der Link gilt einmal und läuft nach ${hours(expiresInHours)} ab. Danach:`,
        link: { url: resetUrl, label: 'neuen Link anfordern' },
      },
      'Wenn Sie diese E-Mail nicht erwartet haben, ignorieren Sie sie: Ein Konto, dessen Adresse nie bestätigt wird, wird gelöscht.',
    ],
  }),
  resetPassword: ({ url, expiresInHours }: LinkData) => ({
    subject: 'Wählen Sie ein neues Passwort für Agate',
    title: 'Wählen Sie ein neues Passwort',
    paragraphs: [
      'Jemand, vermutlich Sie selbst, hat ein neues Passwort für Ihr Agate-Konto angefordert.',
      setPassword(url),
      {
        footnote: `Der Link gilt einmal und läuft nach ${hours(expiresInHours)} ab. Wenn Sie das nicht waren, ignorieren Sie diese E-Mail: Ihr Passwort bleibt, wie es ist.`,
      },
    ],
  }),
  passwordChanged: ({ resetUrl }: ResetUrlData) => ({
    subject: 'Ihr Agate-Passwort wurde geändert',
    title: 'Ihr Passwort wurde geändert',
    paragraphs: [
      'Das Passwort Ihres Agate-Kontos wurde geändert, und alle Sitzungen wurden beendet.',
      'Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht, wählen Sie sofort ein neues Passwort:',
      setPassword(resetUrl),
    ],
  }),
  wrongCodes: ({ resetUrl }: ResetUrlData) => ({
    subject: 'Agate: falsche Codes für Ihren zweiten Faktor',
    title: 'Falsche Codes für Ihren zweiten Faktor',
    paragraphs: [
      'Jemand hat Ihr Passwort eingegeben und danach mehrere falsche Codes Ihres zweiten Faktors. Die Anmeldung ist nicht gelungen. Nach vielen falschen Codes werden Codes für eine Weile nur von Browsern angenommen, in denen Sie sich schon einmal angemeldet haben; Ihre Wiederherstellungscodes gelten immer.',
      'Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht, kennt jemand Ihr Passwort. Wählen Sie sofort ein neues:',
      setPassword(resetUrl),
    ],
  }),
  confirmNewEmail: ({ url, expiresInHours }: LinkData) => ({
    subject: 'Bestätigen Sie Ihre neue Adresse für Agate',
    title: 'Bestätigen Sie Ihre neue Adresse',
    paragraphs: [
      'Jemand, vermutlich Sie selbst, möchte diese Adresse für ein Agate-Konto verwenden.',
      { url, label: 'Adresse bestätigen' },
      {
        footnote: `Der Link läuft nach ${hours(expiresInHours)} ab. Wenn Sie das nicht waren, können Sie diese E-Mail ignorieren.`,
      },
    ],
  }),
  emailChanged: () => ({
    subject: 'Ihre Agate-Adresse wurde geändert',
    title: 'Ihre Adresse wurde geändert',
    paragraphs: [
      'Ihr Agate-Konto verwendet jetzt eine andere E-Mail-Adresse, und alle Sitzungen wurden beendet. An diese Adresse schicken wir keine E-Mails zu dem Konto mehr.',
      'Wenn Sie das nicht waren, wenden Sie sich sofort an den Betreiber dieses Dienstes.',
    ],
  }),
  secondFactorOn: (data: NoticeData) => secondFactorChanged('eingeschaltet', data),
  secondFactorOff: (data: NoticeData) => secondFactorChanged('ausgeschaltet', data),
  secondFactorReset: ({ resetUrl }: ResetUrlData) => ({
    subject: 'Agate: Ihr zweiter Faktor wurde zurückgesetzt',
    title: 'Ihr zweiter Faktor wurde zurückgesetzt',
    paragraphs: [
      'Der Betreiber dieses Dienstes hat den zweiten Faktor Ihres Agate-Kontos entfernt. Alle Sitzungen wurden beendet. Sie melden sich mit dem Passwort allein an; richten Sie einen zweiten Faktor neu ein.',
      'Wenn Sie das nicht verlangt haben, wählen Sie sofort ein neues Passwort und wenden Sie sich an den Betreiber:',
      setPassword(resetUrl),
    ],
  }),
  newToken: ({ last4, scopes, time, address, resetUrl }: NewTokenData) => ({
    subject: 'Agate: ein persönliches Zugriffstoken wurde angelegt',
    title: 'Ein persönliches Zugriffstoken wurde angelegt',
    paragraphs: [
      `Ein persönliches Zugriffstoken Ihres Agate-Kontos mit der Endung ${last4} wurde am ${time} von der Adresse ${address} aus angelegt. Seine Rechte: ${scopes.join(', ')}.`,
      'Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht, wählen Sie sofort ein neues Passwort und widerrufen Sie im selben Formular Ihre persönlichen Zugriffstoken:',
      setPassword(resetUrl),
    ],
  }),
  newSession: ({ time, address, browser, resetUrl }: NewSessionData) => ({
    subject: 'Eine Anmeldung bei Ihrem Agate-Konto',
    title: 'Eine Anmeldung bei Ihrem Agate-Konto',
    paragraphs: [
      `Am ${time} hat sich jemand mit ${nameOf(browser)} von der Adresse ${address} aus bei Ihrem Agate-Konto angemeldet. Aus diesem Netz haben Sie sich noch nicht angemeldet.`,
      'Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht, kennt jemand Ihr Passwort. Wählen Sie sofort ein neues; das beendet alle Sitzungen:',
      setPassword(resetUrl),
    ],
  }),
};
