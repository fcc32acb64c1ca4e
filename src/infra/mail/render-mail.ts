import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Eta } from 'eta';
import { appInitialOf } from '#kernel/text/app-initial';
import { type Language, LANGUAGES } from '#kernel/text/language';
import { markedBlocks, plainNotes } from '#kernel/text/marked-text';
import { cleanText } from '#kernel/text/text';
import { accentTheme } from '#infra/pages/accent';
import { isWebAddress } from '#infra/pages/page-brand';
import { BANDS, MAIL_COLORS, SHADE_COLORS } from './mail-colors';
import {
  LAYOUT_WORDS,
  type LayoutWords,
  type MailApp,
  type MailBrand,
  type MailPart,
  type MailRow,
  type MailText,
} from './mail-parts';

/** A mail in one language. HTML and text are rendered from the same data. */
export interface MailTemplate<Data extends object> {
  readonly language: Language;
  readonly textOf: (data: Data) => MailText;
}

/** One mail in every language. Choose by the recipient: `renderMail(INVITE[developer.language], data)`. */
export type TranslatedMail<Data extends object> = Readonly<Record<Language, MailTemplate<Data>>>;

export interface RenderedMail {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

const escaping = new Eta({ autoEscape: true });
const plain = new Eta({ autoEscape: false });

/** Compiles a template when this module loads. The build copies the templates next to this file, so the path is valid in src and in dist. */
function templateOf(eta: Eta, file: string): (data: object) => string {
  const compiled = eta.compile(readFileSync(join(__dirname, 'templates', file), 'utf8'));
  return (data) => eta.render(compiled, data);
}

/** The system's own font. Each cell of a table names it, because Outlook inherits no font from the table around it. */
const FONT = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;";
const LOOK = { ...MAIL_COLORS, bands: BANDS, font: FONT };
type Look = typeof LOOK | ReturnType<typeof lookOf>;

/** The largest logo of a mail, in pixels. */
const LOGO_BOX = { width: 180, height: 40 };

const htmlLayout = templateOf(escaping, 'layout.html.eta');
const textLayout = templateOf(plain, 'layout.text.eta');
const htmlParts = templateOf(escaping, 'parts.html.eta');
const htmlApp = templateOf(escaping, 'app.html.eta');
const htmlButton = templateOf(escaping, 'button.html.eta');
const htmlSpans = templateOf(escaping, 'spans.html.eta');

/** Makes a mail of texts in every language. The texts of a module are functions of the data, in one table per language. */
export const translatedMail = <Data extends object>(
  texts: Readonly<Record<Language, (data: Data) => MailText>>,
): TranslatedMail<Data> =>
  Object.fromEntries(
    LANGUAGES.map((language) => [
      language,
      { language, textOf: (data: Data): MailText => withPlainTexts(texts[language](data)) },
    ]),
  ) as Record<Language, MailTemplate<Data>>;

/**
 * Renders the subject and both bodies, with the common layout around each body in the language of the template.
 * @param brand what the mail shows of its sender. Absent for mails of the service.
 */
export function renderMail<Data extends object>(
  template: MailTemplate<Data>,
  data: Data,
  brand?: MailBrand,
): RenderedMail {
  const { language, textOf } = template;
  const text = textOf(data);
  const { subject, sentBy } = text;
  const words = LAYOUT_WORDS[language];
  const footer = sentBy === undefined ? words.footer : words.sentBy(sentBy);
  const look = lookOf(brand);
  const frame = { subject, language, footer, logo: logoOf(brand), ways: waysOf(brand, words) };
  return {
    subject,
    html: htmlLayout({ ...look, ...frame, body: htmlOf(text, words.buttonFallback, look) }),
    text: textLayout({ ...frame, body: plainTextOf(text) }),
  };
}

/** The colours of the mail, with the accent of its sender. */
const lookOf = (brand: MailBrand | undefined) => {
  const accent = brand?.accent ?? null;
  if (accent === null) return LOOK;
  const { light, dark } = accentTheme(accent);
  return {
    ...LOOK,
    light: { ...LOOK.light, accent: light.accent, 'on-accent': light.onAccent },
    dark: { ...LOOK.dark, accent: dark.accent, 'on-accent': dark.onAccent },
  };
};

/** The logo in the size of the mail: Outlook ignores every size that is not an attribute. */
function logoOf(brand: MailBrand | undefined): object | null {
  if (!brand?.logo) return null;
  const { image, width, height } = brand.logo;
  const scale = Math.min(1, LOGO_BOX.width / width, LOGO_BOX.height / height);
  const scaled = (pixels: number): number => Math.max(1, Math.round(pixels * scale));
  return { image, width: scaled(width), height: scaled(height), alt: brand.name };
}

/** How the reader reaches the sender. An address of a page is a link; mail programs make links of mail addresses themselves. */
function waysOf(brand: MailBrand | undefined, words: LayoutWords): readonly object[] {
  const { contact = null, privacyUrl = null } = brand ?? {};
  return [
    ...(contact === null ? [] : [{ label: words.contact, text: contact, isLink: isWebAddress(contact) }]),
    ...(privacyUrl === null ? [] : [{ label: words.privacy, text: privacyUrl, isLink: true }]),
  ];
}

function htmlOf(text: MailText, fallback: string, look: Look): string {
  const parts = {
    app: (data: object) => htmlApp({ ...look, render, ...data }),
    button: (data: object) => htmlButton({ ...look, fallback, ...data }),
    spans: (data: object) => htmlSpans({ ...look, ...data }),
  };
  const render = (name: keyof typeof parts, data: object): string => parts[name](data);
  return htmlParts({ ...look, render, ...text, paragraphs: text.paragraphs.map(forTemplate) });
}

function forTemplate(part: MailPart): object | string {
  if (typeof part === 'string' || !('app' in part)) return part;
  const { letter, shade } = appInitialOf(part.app.name);
  const initial = { letter, color: SHADE_COLORS[shade] };
  return { app: { ...part.app, initial, notes: markedBlocks(part.app.notes ?? '') } };
}

const plainTextOf = ({ paragraphs }: MailText): string =>
  paragraphs
    .map(plainPart)
    .filter((part) => part !== '')
    .join('\n\n');

function plainPart(part: MailPart): string {
  if (typeof part === 'string') return part;
  if ('app' in part) {
    const { name, version, platform, notes, changes, problem } = part.app;
    return [`${name} ${version}, ${platform}`, notes && plainNotes(notes), changes, problem]
      .filter(Boolean)
      .join('\n\n');
  }
  if ('url' in part) return `${part.label}:\n${part.url}`;
  if ('list' in part) return part.list.map(plainRow).join('\n');
  if ('qr' in part) return '';
  const { footnote, link } = part;
  return link ? `${footnote} ${link.label}:\n${link.url}` : footnote;
}

const plainRow = ({ name, detail, url }: MailRow): string =>
  [`- ${name}: ${detail}`, url && `  ${url}`].filter(Boolean).join('\n');

/**
 * Texts contain names that users chose, for example of an organization that invites a stranger. Line breaks in a name must not look like
 * further paragraphs of the mail. Only notes have lines.
 */
const oneLine = (text: string): string => cleanText(text, Infinity);

const withPlainTexts = ({ subject, eyebrow, title, sentBy, paragraphs }: MailText): MailText => ({
  subject: oneLine(subject),
  title: oneLine(title),
  ...(eyebrow !== undefined && { eyebrow: oneLine(eyebrow) }),
  ...(sentBy !== undefined && { sentBy: oneLine(sentBy) }),
  paragraphs: paragraphs.map(withPlainPart),
});

function withPlainPart(part: MailPart): MailPart {
  if (typeof part === 'string') return oneLine(part);
  if ('footnote' in part) return { ...part, footnote: oneLine(part.footnote) };
  if ('url' in part) return { ...part, label: oneLine(part.label) };
  if ('list' in part) return { list: part.list.map(withPlainRow) };
  return 'app' in part ? { app: withPlainApp(part.app) } : part;
}

const withPlainRow = ({ name, detail, url }: MailRow): MailRow => ({
  name: oneLine(name),
  detail: oneLine(detail),
  url,
});

const withPlainApp = (app: MailApp['app']): MailApp['app'] => ({
  ...app,
  name: oneLine(app.name),
  version: oneLine(app.version),
  ...(app.changes && { changes: oneLine(app.changes) }),
});
