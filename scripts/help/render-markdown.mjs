import path from 'node:path';
import { Marked } from 'marked';

const COMMENT = /^<!--[^]*-->\s*$/;
/** A word of the API, such as the code of a warning, a reason, a variable or a metric. */
const WORD = /^[a-zA-Z][a-zA-Z0-9]*([_.][a-zA-Z0-9]+)*$/;
/** A command or an option of the command line, without its arguments. */
const COMMAND = /^(agate( [a-z][a-z-]*)+|--[a-z][a-z-]*)/;
/** An address that stands for that of the reader's service. */
const EXAMPLE = /^https?:\/\/(localhost\b|([\w.-]+\.)?example\.(com|org)\b)/;
/** Ids that the layout uses. */
const TAKEN = ['content', 'documents', 'q'];

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text) => text.replace(/[&<>"']/g, (character) => ESCAPES[character]);

/** The text of tokens without markup. */
export function plainText(token) {
  if (Array.isArray(token)) return token.map(plainText).join('');
  if (token.type === 'html') return '';
  if (token.type === 'table') return token.rows.map(rowText).join(' ');
  if (token.type === 'list') return token.items.map((item) => plainText(item.tokens)).join(' ');
  return token.tokens ? plainText(token.tokens) : (token.text ?? '');
}

export const rowText = (row) => row.map(({ tokens }) => plainText(tokens)).join(' ');

/** The id that GitHub gives to a heading. */
const slugOf = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

/**
 * Renders a document.
 * @param linkTo the address of a linked file of the repository, null when the service does not serve it; `image` likewise.
 * @returns the title, the HTML below it, the headings, the tokens, all ids, and the links to other pages with the headings above them.
 */
export function renderMarkdown({ file, markdown }, { linkTo, image }) {
  const marked = new Marked({ gfm: true });
  const tokens = marked.lexer(markdown);
  const ids = new Set(TAKEN);
  const headings = nameHeadings(tokens, ids);
  nameWords(tokens, ids);
  const links = [];
  let section = '';
  const resolve = (href) => {
    const [target, anchor] = href.split('#');
    const linked = target === '' ? file : path.posix.join(path.posix.dirname(file), target);
    const address = linkTo(linked);
    return address === null ? null : address + (anchor === undefined ? '' : `#${anchor}`);
  };
  marked.use({
    renderer: {
      // Documents contain no markup, so that what looks like it is text.
      html: ({ text }) => (COMMENT.test(text) ? '' : escapeHtml(text)),
      heading({ tokens: inner, depth, id }) {
        section = plainText(inner);
        return `<h${depth} id="${id}">${this.parser.parseInline(inner)}</h${depth}>\n`;
      },
      code: ({ text, lang }) =>
        `<pre tabindex="0"><code${lang ? ` class="language-${escapeHtml(lang)}"` : ''}>${escapeHtml(text)}\n</code></pre>\n`,
      codespan: ({ text, id }) =>
        `<code${id === undefined ? '' : ` id="${id}"`}>${escapeHtml(text).replaceAll('/', '/<wbr>')}</code>`,
      table({ header, rows }) {
        const cell = (name) => (each) => `<${name}>${this.parser.parseInline(each.tokens)}</${name}>`;
        const head = header.map((each) => (each.text === '' ? '<td></td>' : cell('th')(each))).join('');
        const body = rows.map((row) => `<tr>${row.map(cell('td')).join('')}</tr>\n`).join('');
        const table = `<table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${body}</tbody>\n</table>`;
        return `<div class="wide" role="group" aria-label="Table" tabindex="0">${table}</div>\n`;
      },
      link({ href, tokens: inner }) {
        const text = this.parser.parseInline(inner);
        if (EXAMPLE.test(href)) return text;
        if (/^(https?|mailto):/.test(href)) return `<a href="${escapeHtml(href)}">${text}</a>`;
        const address = resolve(href);
        // The file is in the repository only.
        if (address === null) return text;
        links.push({ address, text: plainText(inner), section });
        return `<a href="${escapeHtml(address)}">${text}</a>`;
      },
      image({ href, text }) {
        const { address, width, height } = image(path.posix.join(path.posix.dirname(file), href));
        return `<img src="${address}" alt="${escapeHtml(text)}" width="${width}" height="${height}" loading="lazy">`;
      },
    },
  });
  const [title, ...rest] = tokens.filter(({ type }) => type !== 'space');
  if (title?.type !== 'heading' || title.depth !== 1) throw new Error(`${file} does not begin with a title.`);
  const html = marked.parser(rest);
  return { title: plainText(title), titleId: title.id, html, headings: headings.slice(1), tokens: rest, links, ids };
}

/** Gives each heading the id that GitHub gives it. */
function nameHeadings(tokens, ids) {
  const seen = new Map();
  return tokens
    .filter(({ type }) => type === 'heading')
    .map((heading) => {
      const slug = slugOf(plainText(heading));
      const before = seen.get(slug) ?? 0;
      seen.set(slug, before + 1);
      heading.id = before === 0 ? slug : `${slug}-${before}`;
      ids.add(heading.id);
      return { id: heading.id, level: heading.depth, text: plainText(heading) };
    });
}

/**
 * Gives each word of the API in a table an id, so that links lead to its row. Of several places of a word the one in the first column counts,
 * then the first one. The title of a row is all that it names. A row that begins with a command is about that, and not about the words in
 * its second column.
 */
function nameWords(tokens, ids) {
  const rows = tokens.filter(({ type }) => type === 'table').flatMap(({ rows: all }) => all);
  const name = (row, code, id) => {
    if (ids.has(id)) return;
    code.id = id;
    ids.add(id);
    (row.ids ??= []).push(id);
  };
  for (const row of rows) nameCommand(row, name);
  const others = rows.filter(({ title }) => title === undefined);
  for (const [column, named] of [rows, others].entries()) {
    for (const row of named) {
      for (const word of codesIn(row[column]?.tokens ?? [])) if (WORD.test(word.text)) name(row, word, word.text);
    }
  }
  for (const row of others) row.title = row.ids?.join(', ');
}

/** Names a row by the command or the option that it begins with: without arguments, or with all commands of its first cell. */
function nameCommand(row, name) {
  const codes = codesIn(row[0].tokens);
  const command = codes.find(({ text }) => COMMAND.test(text));
  if (command === undefined) return;
  const [withoutArguments] = COMMAND.exec(command.text);
  row.title = codes.length === 1 ? withoutArguments : plainText(row[0].tokens);
  name(row, command, withoutArguments.replaceAll(' ', '-'));
}

const codesIn = (tokens) =>
  tokens.flatMap((token) => (token.type === 'codespan' ? [token] : codesIn(token.tokens ?? [])));
