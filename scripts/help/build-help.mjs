import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Eta } from 'eta/core';
import { addressOf, FIRST, HELP, isPlainFile, readDocuments } from './documents.mjs';
import { renderMarkdown } from './render-markdown.mjs';
import { searchIndex } from './search-index.mjs';

/** The texts around the documents. Documents are in English, with few exceptions. */
const TEXTS = {
  help: 'Agate help',
  skip: 'Skip to the content',
  search: 'Search',
  searchLabel: 'Search the documents',
  /** Shown to readers of German. */
  inEnglish: 'Die Dokumentation ist auf Englisch.',
  documents: 'Documents',
  dashboard: 'Dashboard',
  onThisPage: 'On this page',
  trail: 'Place of this page',
  version: 'Documents of Agate',
};

/** The blocks of colours of the other pages: the light and the dark ones. */
const COLOURS = /^(@media \(prefers-color-scheme: dark\) \{\s+)?:root \{[^}]*\}(\s+\})?/gm;

/** The deepest headings in the list of a page. */
const DEEPEST = 3;

/** Reads and renders all documents. Every link to another page is an address of the service. */
export function renderDocuments(root) {
  const assets = new Map();
  const add = (name, content) => {
    const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
    const hashed = name.replace(/(?=\.\w+$)/, `.${hash}`);
    assets.set(hashed, content);
    return `${HELP}/assets/${hashed}`;
  };
  const image = (file) => {
    const content = readFileSync(path.join(root, file));
    return {
      address: add(path.basename(file), content),
      width: content.readUInt32BE(16),
      height: content.readUInt32BE(20),
    };
  };
  const plain = new Map();
  const linkTo = (file) => {
    const address = addressOf(file);
    if (address !== null && isPlainFile(file)) plain.set(address, readFileSync(path.join(root, file)));
    return address;
  };
  const pages = readDocuments(root).map((document) => ({
    ...document,
    ...renderMarkdown(document, { linkTo, image }),
  }));
  return { pages, plain, assets, add };
}

/**
 * Writes the pages, the files that they show, and the index of the search.
 * @param output the folder, which is emptied.
 */
export function buildHelp(root, output) {
  const { pages, plain, assets, add } = renderDocuments(root);
  const templates = path.join(root, 'src/app/help/templates');
  const look = path.join(root, 'src/infra/pages/assets');
  const colours = readFileSync(path.join(look, 'page.css'), 'utf8').match(COLOURS);
  const layout = {
    texts: TEXTS,
    version: JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).version,
    stylesheet: add('help.css', [...colours, readFileSync(path.join(templates, 'help.css'), 'utf8')].join('\n\n')),
    icon: add('logo.svg', readFileSync(path.join(look, 'logo.svg'))),
    navigation: navigationOf(pages),
  };
  rmSync(output, { recursive: true, force: true });
  for (const folder of ['pages', 'assets']) mkdirSync(path.join(output, folder), { recursive: true });
  const write = (folder, files) => {
    for (const [name, content] of files) writeFileSync(path.join(output, folder, name), content);
  };
  const eta = new Eta({ rmWhitespace: true });
  const template = eta.compile(readFileSync(path.join(templates, 'layout.eta'), 'utf8'));
  const rendered = pages.map((page) => [
    `${nameOf(page.address)}.html`,
    eta.render(template, { ...layout, ...viewOf(page, pages) }),
  ]);
  write('pages', [...rendered, ...[...plain].map(([address, content]) => [nameOf(address), content])]);
  write('assets', assets);
  const index = Object.fromEntries([
    ...pages.map(({ address, language }) => [address, { file: `${nameOf(address)}.html`, language }]),
    ...[...plain.keys()].map((address) => [address, { file: nameOf(address), language: 'en' }]),
  ]);
  write('.', [
    ['help.json', JSON.stringify({ layout, themes: themesOf(colours), pages: index })],
    ['search.json', searchIndex(pages)],
  ]);
}

/** A style sheet with each block of colours alone, whatever the system prefers. */
function themesOf([light, dark]) {
  const only = (block, theme) =>
    `:root { ${/\{([^{}]*)\}/.exec(block)[1].replace(/color-scheme:[^;]*;/, '')} color-scheme: ${theme}; }`;
  return { light: only(light, 'light'), dark: only(dark, 'dark') };
}

/** The name of the file of a page, in one folder. */
const nameOf = (address) => address.slice(HELP.length + 1).replaceAll('/', '+') || 'index';

/** The navigation of all pages: the sections of the first page, with the pages that each links to. */
function navigationOf(pages) {
  const titles = new Map(pages.map(({ address, title }) => [address, title]));
  const sections = new Map();
  for (const { address, section } of pages.find(({ file }) => file === FIRST).links) {
    const label = titles.get(address);
    if (!titles.delete(address)) continue;
    sections.set(section, [...(sections.get(section) ?? []), { address, label }]);
  }
  return [...sections].map(([title, items]) => ({ title, items }));
}

function viewOf(page, pages) {
  const above = pages.filter(({ address }) => address !== page.address && `${page.address}/`.startsWith(`${address}/`));
  return {
    address: page.address,
    title: page.title,
    language: page.language,
    trail: above.map(({ address, title }) => ({ address, label: address === HELP ? TEXTS.help : title })),
    // The first page is a list already.
    contents: page.file === FIRST ? [] : page.headings.filter(({ level }) => level <= DEEPEST),
    body: page.html,
    query: '',
  };
}
