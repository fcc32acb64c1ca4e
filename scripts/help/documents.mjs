import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The path below which the service serves its documents. */
export const HELP = '/help';

/** The table of contents of the documents, which is the first page. */
export const FIRST = 'docs/README.md';

/** Documents outside of `docs` that pages link to, and the ends of their addresses. */
const BESIDE = new Map([
  ['CHANGELOG.md', 'changes'],
  ['SECURITY.md', 'reporting-vulnerabilities'],
  ['docker/README.md', 'containers'],
  ['packages/fastlane/README.md', 'ci/fastlane-plugin'],
]);

/** Documents for readers of the sources. */
const FOR_CONTRIBUTORS = /^docs\/(architecture\.md$|guides\/|releases\/|generated\/modules\.md$)/;

/** A file with one of these extensions is sent as it is, when a document links to it. */
const PLAIN_FILE = /\.(sh|mjs)$/;

/** Addresses of files that the service serves elsewhere. */
const ELSEWHERE = new Map([['docs/generated/openapi.json', '/api/v1/openapi.json']]);

/** The part of a document after this comment is for readers of the repository. */
const END = '<!-- Only in the repository -->';

/** The address of a file of the repository, null when the service does not serve it. */
export function addressOf(file) {
  if (file === FIRST) return HELP;
  const beside = BESIDE.get(file);
  if (beside !== undefined) return `${HELP}/${beside}`;
  if (ELSEWHERE.has(file)) return ELSEWHERE.get(file);
  if (!file.startsWith('docs/') || FOR_CONTRIBUTORS.test(file)) return null;
  const name = file.slice('docs/'.length).replace(/^generated\//, '');
  if (PLAIN_FILE.test(name)) return `${HELP}/${name}`;
  return name.endsWith('.md') ? `${HELP}/${name.replace(/(\/README)?\.md$/, '')}` : null;
}

/** Whether a file is sent as it is. */
export const isPlainFile = (file) => PLAIN_FILE.test(file);

/** The documents of the repository, as their files, addresses, languages and Markdown. */
export function readDocuments(root) {
  const inDocs = readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((name) => `docs/${name.split(path.sep).join('/')}`)
    .sort();
  return [...inDocs, ...BESIDE.keys()]
    .filter((file) => file.endsWith('.md') && addressOf(file) !== null)
    .map((file) => ({
      file,
      address: addressOf(file),
      language: /\.de\.md$/.test(file) ? 'de' : 'en',
      markdown: readFileSync(path.join(root, file), 'utf8').split(END)[0],
    }));
}
