import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Eta } from 'eta';

/** A compiled template. HTML and text are rendered from the same data. */
export interface MailTemplate<Data extends object> {
  readonly subject: (data: Data) => string;
  readonly html: (data: Data) => string;
  readonly text: (data: Data) => string;
}

export interface MailTemplateSource<Data extends object> {
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

/** The build copies the templates next to this file (`assets` in nest-cli.json), so the path is valid in src and in dist. */
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
const button = (url: string, label: string): string => renderButton({ url, label });

/** Compiles a template. Templates are compiled when their module loads, so a syntax error stops the start of the service. */
export function mailTemplate<Data extends object>(source: MailTemplateSource<Data>): MailTemplate<Data> {
  const html = htmlOf(source.html);
  return { subject: source.subject, html: (data) => html({ ...data, button }), text: textOf(source.text) };
}

/** Loads a template from two files, `<path>.html.eta` and `<path>.text.eta`. */
export function loadMailTemplate<Data extends object>(
  path: string,
  subject: (data: Data) => string,
): MailTemplate<Data> {
  const source = (ending: string): string => readFileSync(`${path}.${ending}.eta`, 'utf8');
  return mailTemplate<Data>({ subject, html: source('html'), text: source('text') });
}

/** Renders the subject and both bodies, with the common layout around each body. */
export function renderMail<Data extends object>(template: MailTemplate<Data>, data: Data): RenderedMail {
  const subject = template.subject(data);
  return {
    subject,
    html: htmlLayout({ subject, body: template.html(data) }),
    text: textLayout({ body: template.text(data).trim() }),
  };
}
