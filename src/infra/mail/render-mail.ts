import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Eta } from 'eta';

/** A mail as two texts made of the same data: one for programs that show HTML, one for all others. */
export interface MailTemplate<Data extends object> {
  readonly subject: (data: Data) => string;
  readonly html: (data: Data) => string;
  readonly text: (data: Data) => string;
}

export interface MailTemplateSource<Data extends object> {
  readonly subject: (data: Data) => string;
  /** Eta; `it` is the data. Values are escaped; `it.button(url, label)` is the one big link. */
  readonly html: string;
  /** Eta; nothing is escaped, there is nothing to escape. */
  readonly text: string;
}

export interface RenderedMail {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

const escaping = new Eta({ autoEscape: true });
const plain = new Eta({ autoEscape: false });

/** Copied to the build beside this file (nest-cli assets), so it is found from src and from dist. */
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

/** Compiles a template once, at load: a mistake in it stops the start, not a mail. */
export function mailTemplate<Data extends object>(source: MailTemplateSource<Data>): MailTemplate<Data> {
  const html = htmlOf(source.html);
  return { subject: source.subject, html: (data) => html({ ...data, button }), text: textOf(source.text) };
}

/** A template of two files, `<path>.html.eta` and `<path>.text.eta`. */
export function loadMailTemplate<Data extends object>(
  path: string,
  subject: (data: Data) => string,
): MailTemplate<Data> {
  const source = (ending: string): string => readFileSync(`${path}.${ending}.eta`, 'utf8');
  return mailTemplate<Data>({ subject, html: source('html'), text: source('text') });
}

/** Subject and both bodies, each in the common layout. */
export function renderMail<Data extends object>(template: MailTemplate<Data>, data: Data): RenderedMail {
  const subject = template.subject(data);
  return {
    subject,
    html: htmlLayout({ subject, body: template.html(data) }),
    text: textLayout({ body: template.text(data).trim() }),
  };
}
