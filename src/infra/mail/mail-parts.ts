import { type Language } from '#kernel/text/language';

/** The main link, as a button. */
export interface MailLink {
  readonly url: string;
  readonly label: string;
}

/** A version of an app. */
export interface MailApp {
  readonly app: {
    readonly name: string;
    /** As `2.4.0 (318)`. */
    readonly version: string;
    readonly platform: string;
    /** The name of one of the mail's images, `null` when the app has no icon that mail programs show. */
    readonly icon: string | null;
    /** May contain a little Markdown (`markedBlocks`). */
    readonly notes?: string | null;
    /** What differs from the version before. */
    readonly changes?: string | null;
    /** Why it cannot be installed. */
    readonly problem?: string | null;
  };
}

/** Small print, which may end with a link. */
export interface MailFootnote {
  readonly footnote: string;
  readonly link?: MailLink;
}

/** A QR code with a text beside it. The plain text of the mail leaves it out, because it contains the address. */
export interface MailQrCode {
  /** The name of one of the mail's images. */
  readonly qr: string;
  readonly alt: string;
  readonly text: string;
}

/** An object in a list: its name, which may be a link, and a sentence about it. */
export interface MailRow {
  readonly name: string;
  readonly detail: string;
  /** Null without a link. */
  readonly url: string | null;
}

/** Objects below each other. */
export interface MailList {
  readonly list: readonly MailRow[];
}

/** A part of a mail, from top to bottom. A string is a paragraph. */
export type MailPart = string | MailLink | MailApp | MailFootnote | MailQrCode | MailList;

/** The texts of a mail. All are plain: the templates escape them. */
export interface MailText {
  readonly subject: string;
  /** A line above the title. */
  readonly eyebrow?: string;
  readonly title: string;
  readonly paragraphs: readonly MailPart[];
  /** The organization that sends the mail, for the line below it. Absent when the service itself does. */
  readonly sentBy?: string;
}

/** What a mail shows of the organization that sends it. */
export interface MailBrand {
  /** The name of one of the mail's images, and its size in pixels. */
  readonly logo: { readonly image: string; readonly width: number; readonly height: number } | null;
  /** The name of the organization, for readers who see no pictures. */
  readonly name: string;
  readonly contact: string | null;
  readonly privacyUrl: string | null;
  readonly accent: string | null;
}

/** The texts of the layout. */
export interface LayoutWords {
  readonly footer: string;
  readonly sentBy: (organization: string) => string;
  readonly buttonFallback: string;
  readonly contact: string;
  readonly privacy: string;
}

export const LAYOUT_WORDS: Readonly<Record<Language, LayoutWords>> = {
  en: {
    footer: 'Agate: pre-release builds for testers. This mail was sent automatically.',
    sentBy: (organization) => `${organization} sends you test versions with Agate. This mail was sent automatically.`,
    buttonFallback: 'If the button does not work, open this address:',
    contact: 'Contact:',
    privacy: 'Privacy:',
  },
  de: {
    footer: 'Agate: Vorabversionen für Tester. Diese E-Mail wurde automatisch verschickt.',
    sentBy: (organization) =>
      `${organization} schickt Ihnen Testversionen mit Agate. Diese E-Mail wurde automatisch verschickt.`,
    buttonFallback: 'Falls die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse:',
    contact: 'Kontakt:',
    privacy: 'Datenschutz:',
  },
};
