import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Eta } from 'eta';
import { DEFAULT_LANGUAGE, type Language, LANGUAGES } from '#kernel/text/language';
import { cleanText } from '#kernel/text/text';

/** A compiled template. HTML and text are rendered from the same data. */
export interface MailTemplate<Data extends object> {
  readonly language: Language;
  readonly subject: (data: Data) => string;
  readonly html: (data: Data) => string;
  readonly text: (data: Data) => string;
}

/** One mail in every language. Choose by the recipient: `renderMail(INVITE[developer.language], data)`. */
export type TranslatedMail<Data extends object> = Readonly<Record<Language, MailTemplate<Data>>>;

export interface MailTemplateSource<Data extends object> {
  /** The language of the layout around the body. Default: English. */
  readonly language?: Language;
  readonly subject: (data: Data) => string;
  /** An Eta template; `it` is the data. Values are escaped. `it.button(url, label)` renders the main link. */
  readonly html: string;
  /** An Eta template for plain text. Values are not escaped. */
  readonly text: string;
}

export interface RenderedMail {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

const escaping = new Eta({ autoEscape: true });
const plain = new Eta({ autoEscape: false });

/** The build copies the templates next to this file, so the path is valid in src and in dist. */
const read = (file: string): string => readFileSync(join(__dirname, 'templates', file), 'utf8');
const htmlOf = (source: string): ((data: object) => string) => {
  const compiled = escaping.compile(source);
  return (data) => escaping.render(compiled, data);
};
const textOf = (source: string): ((data: object) => string) => {
  const compiled = plain.compile(source);
  return (data) => plain.render(compiled, data);
};

const htmlLayout = htmlOf(read('layout.html.eta'));
const textLayout = textOf(read('layout.text.eta'));
const renderButton = htmlOf(read('button.html.eta'));

/** The texts of the layout. */
const LAYOUT: Readonly<Record<Language, { readonly footer: string; readonly buttonFallback: string }>> = {
  en: {
    footer: 'Agate: pre-release builds for testers. This mail was sent automatically.',
    buttonFallback: 'If the button does not work, open this address:',
  },
  de: {
    footer: 'Agate: Vorabversionen für Tester. Diese E-Mail wurde automatisch verschickt.',
    buttonFallback: 'Falls die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse:',
  },
};

const buttonIn =
  (language: Language) =>
  (url: string, label: string): string =>
    renderButton({ url, label, fallback: LAYOUT[language].buttonFallback });

/** Compiles a template. Templates are compiled when their module loads, so a syntax error stops the start of the service. */
export function mailTemplate<Data extends object>(source: MailTemplateSource<Data>): MailTemplate<Data> {
  const { language = DEFAULT_LANGUAGE, subject } = source;
  const html = htmlOf(source.html);
  const button = buttonIn(language);
  return { language, subject, html: (data) => html({ ...data, button }), text: textOf(source.text) };
}

/** Loads a template from two files, `<path>.html.eta` and `<path>.text.eta`. */
function loadMailTemplate<Data extends object>(
  path: string,
  subject: (data: Data) => string,
  language: Language = DEFAULT_LANGUAGE,
): MailTemplate<Data> {
  const source = (ending: string): string => readFileSync(`${path}.${ending}.eta`, 'utf8');
  return mailTemplate<Data>({ language, subject, html: source('html'), text: source('text') });
}

/** Loads a mail in every language, from the files `<path>.<language>.html.eta` and `<path>.<language>.text.eta`. */
export const loadTranslatedMail = <Data extends object>(
  path: string,
  subjects: Readonly<Record<Language, (data: Data) => string>>,
): TranslatedMail<Data> =>
  forEachLanguage((language) => loadMailTemplate(`${path}.${language}`, subjects[language], language));

/** A mail that is a heading and paragraphs, as most mails are. */
export interface MailText {
  readonly subject: string;
  readonly title: string;
  /** Plain texts, which are escaped, and the main link. */
  readonly paragraphs: readonly (string | MailLink)[];
}

export interface MailLink {
  readonly url: string;
  readonly label: string;
}

const htmlParagraphs = htmlOf(read('paragraphs.html.eta'));

/**
 * Texts contain names that users chose, for example of an organization that invites a stranger. Line breaks in a name must not look like
 * further paragraphs of the mail.
 */
const oneParagraph = (text: string): string => cleanText(text, Infinity);

const withPlainParagraphs = ({ subject, title, paragraphs }: MailText): MailText => ({
  subject,
  title: oneParagraph(title),
  paragraphs: paragraphs.map((part) => (typeof part === 'string' ? oneParagraph(part) : part)),
});

/** Makes a mail of texts in every language. The texts of a module are functions of the data, in one table per language. */
export const translatedMail = <Data extends object>(
  texts: Readonly<Record<Language, (data: Data) => MailText>>,
): TranslatedMail<Data> =>
  forEachLanguage((language) => {
    const text = (data: Data): MailText => withPlainParagraphs(texts[language](data));
    const button = buttonIn(language);
    return {
      language,
      subject: (data) => text(data).subject,
      html: (data) => htmlParagraphs({ ...text(data), button }),
      text: (data) =>
        text(data)
          .paragraphs.map((part) => (typeof part === 'string' ? part : part.url))
          .join('\n\n'),
    };
  });

const forEachLanguage = <Value>(make: (language: Language) => Value): Readonly<Record<Language, Value>> =>
  Object.fromEntries(LANGUAGES.map((language) => [language, make(language)])) as Record<Language, Value>;

/** Renders the subject and both bodies, with the common layout around each body in the language of the template. */
export function renderMail<Data extends object>(template: MailTemplate<Data>, data: Data): RenderedMail {
  const subject = template.subject(data);
  const { language } = template;
  const { footer } = LAYOUT[language];
  return {
    subject,
    html: htmlLayout({ subject, language, footer, body: template.html(data) }),
    text: textLayout({ footer, body: template.text(data).trim() }),
  };
}
