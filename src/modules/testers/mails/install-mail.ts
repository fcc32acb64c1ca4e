import { type Language } from '#kernel/text/language';
import { type SharedMailImage } from '#infra/mail/mail-message';
import { type MailApp, type MailFootnote, type MailPart } from '#infra/mail/mail-parts';
import { type Brand } from '#modules/organizations';
import { type Recipient } from '../tester';

/** The names that mails to the testers of a project contain, and what they show of their sender. */
export interface MailNames {
  readonly project: string;
  /** The name that testers see. */
  readonly organization: string;
  readonly brand: Brand;
  readonly language: Language;
}

/** A build that a mail shows. */
export interface AppVersion extends MailApp {
  /** Null when the app has no icon that mail programs show. */
  readonly icon: SharedMailImage | null;
}

/** The data of every mail with an install link. */
export interface InstallMailData {
  readonly tester: Recipient;
  readonly names: MailNames;
  readonly apps: readonly AppVersion[];
  /** The install page. */
  readonly url: string;
  readonly unsubscribeUrl: string;
  /** The name of the image with the QR code of `url`. */
  readonly qr: string;
}

/** `Rocket (Acme)`: who sends the mails about a project. */
export const senderOf = ({ project, organization }: MailNames): string =>
  organization === '' || organization === project ? project : `${project} (${organization})`;

/** The name that all apps of a mail share, else that of the project. */
export function sharedNameOf({ apps, names }: Pick<InstallMailData, 'apps' | 'names'>): string {
  const [name, ...others] = new Set(apps.map(({ app }) => app.name));
  return name === undefined || others.length > 0 ? names.project : name;
}

/** The line above a title: project and channel, unless the title names the project. */
export function originOf(data: Pick<InstallMailData, 'apps' | 'names'>, channel: string | null): string {
  const { project } = data.names;
  return [sharedNameOf(data) === project ? null : project, channel].filter((name) => name !== null).join(' · ');
}

interface InstallMailWords {
  readonly hello: (name: string | null) => string;
  readonly install: string;
  readonly scan: string;
  readonly qrAlt: string;
  readonly unsubscribe: string;
  readonly personal: string;
}

const WORDS: Readonly<Record<Language, InstallMailWords>> = {
  en: {
    hello: (name) => (name === null ? 'Hello,' : `Hello ${name},`),
    install: 'Install',
    scan: 'Reading this on another screen? Scan the code with your phone.',
    qrAlt: 'QR code of the address above',
    unsubscribe: 'Unsubscribe',
    personal: 'These links are personal. Do not share them.',
  },
  de: {
    hello: (name) => (name === null ? 'Guten Tag,' : `Guten Tag, ${name},`),
    install: 'Installieren',
    scan: 'Sie lesen das auf einem anderen Bildschirm? Scannen Sie den Code mit Ihrem Telefon.',
    qrAlt: 'QR-Code der Adresse oben',
    unsubscribe: 'Abbestellen',
    personal: 'Diese Links sind persönlich. Geben Sie sie nicht weiter.',
  },
};

/** The beginning of a mail: the greeting. */
export const greeting = ({ tester, names }: InstallMailData): string =>
  WORDS[names.language].hello(tester.name?.trim() || null);

/** The end of a mail: the apps, the button with its QR code, and how to get no more mails. @param reason why the tester gets the mail. */
export function installParts(data: InstallMailData, reason: string): readonly MailPart[] {
  const { apps, url, qr, unsubscribeUrl, names } = data;
  const words = WORDS[names.language];
  const end: readonly MailFootnote[] = [
    { footnote: reason, link: { url: unsubscribeUrl, label: words.unsubscribe } },
    { footnote: words.personal },
  ];
  return [
    ...apps.map(({ app }) => ({ app })),
    { url, label: words.install },
    { qr, alt: words.qrAlt, text: words.scan },
    ...end,
  ];
}
