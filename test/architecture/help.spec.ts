import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { helpOfWarning } from '@agate/client';
import { ERROR_CATALOGUE } from '#kernel/errors/catalogue';
import { TOPICS } from '../../packages/cli/src/commands/setup/help-topics';
import { WORDS } from '../../packages/cli/src/commands/setup/help-words';
import { helpOfError } from '../../packages/client/src/help';
import { build } from '../../packages/dashboard/src/words/en/build';
import { renderDocuments } from '../../scripts/help/build-help.mjs';
import { ERROR_REASONS } from '../../scripts/reference/error-reasons';

const ROOT = path.resolve(__dirname, '../..');
const SCREENS = path.join(ROOT, 'packages/dashboard/src/screens');

const { pages, plain, assets } = renderDocuments(ROOT);
const byAddress = new Map(pages.map((page) => [page.address, page]));

/** Whether a page of the service has this address and anchor. */
function exists(address: string): boolean {
  const [to = '', anchor] = address.split('#');
  if (plain.has(to) || to === '/api/v1/openapi.json') return anchor === undefined;
  return byAddress.has(to) && (anchor === undefined || byAddress.get(to)!.ids.has(anchor));
}
const missing = (addresses: readonly string[]): readonly string[] => addresses.filter((address) => !exists(address));

describe('the documents at /help', () => {
  // red when: a heading is renamed and a link keeps its old anchor
  it.each(pages.map(({ file, links }) => [file, links] as const))('have no broken link in %s', (_, links) => {
    expect(missing(links.map(({ address }) => address))).toEqual([]);
  });

  // red when: a document is added that no other one links to
  it('are all reached from the first page', () => {
    const reached = new Set(['/help']);
    for (const address of reached) {
      for (const link of byAddress.get(address)?.links ?? []) reached.add(link.address.split('#')[0]!);
    }
    expect([...byAddress.keys()].filter((address) => !reached.has(address))).toEqual([]);
  });

  it('have addresses and titles of their own', () => {
    expect(byAddress.size).toBe(pages.length);
    expect(pages.filter(({ title }) => title === '').map(({ file }) => file)).toEqual([]);
  });

  // red when: a page shows a screenshot of several megabytes, which every process keeps in memory
  it('show pictures of less than 1 MB together', () => {
    expect([...assets.values()].reduce((sum, { length }) => sum + length, 0)).toBeLessThan(1_000_000);
  });
});

describe('the documents of the repository', () => {
  const documents = ['.', 'bench', 'docker', 'docs', 'packages', 'scripts', 'src', 'test']
    .flatMap((folder) => {
      const entries = readdirSync(path.join(ROOT, folder), { recursive: folder !== '.', encoding: 'utf8' });
      return entries.map((name) => path.join(folder, name));
    })
    .filter((file) => file.endsWith('.md') && !/(^|\/)(node_modules|dist)\//.test(file));

  // red when: a source that a decision links to is renamed
  it('lead only to files that exist', () => {
    const dead = documents.flatMap((file) => {
      const text = readFileSync(path.join(ROOT, file), 'utf8').replace(/```[^]*?```|`[^`\n]*`/g, '');
      return [...text.matchAll(/\]\((?!\w+:|[#/])([^)\s#]+)/g)]
        .map(([, to = '']) => to)
        .filter((to) => !existsSync(path.join(ROOT, path.dirname(file), to)))
        .map((to) => `${file}: ${to}`);
    });
    expect(documents.length).toBeGreaterThan(200);
    expect(dead).toEqual([]);
  });

  // red when: a picture stays in the repository after the last document that showed it
  it('show every picture', () => {
    const text = documents.map((file) => readFileSync(path.join(ROOT, file), 'utf8')).join('\n');
    const pictures = readdirSync(path.join(ROOT, 'docs/images'), { recursive: true, encoding: 'utf8' });
    const unused = pictures.filter((name) => name.endsWith('.png') && !text.includes(`images/${name}`));
    expect(unused).toEqual([]);
  });
});

describe('the links to /help', () => {
  const screens = readdirSync(SCREENS, { withFileTypes: true })
    .filter((folder) => folder.isDirectory() && folder.name !== 'session')
    .flatMap(({ name }) => {
      const source = readFileSync(path.join(SCREENS, name, 'routes.ts'), 'utf8');
      return source.split('export const ').slice(1);
    })
    .filter((source) => source.includes('component:'))
    .map((source) => [/^\w+/.exec(source)![0], /\bhelp: '([^']+)'/.exec(source)?.[1] ?? ''] as const);

  // red when: a screen is added without a page that explains it
  it.each(screens)('of the screen %s lead to %s', (_, help) => {
    expect(missing([`/help/${help}`])).toEqual([]);
  });

  it.each(Object.entries(TOPICS))('of the topic %s of the command line lead to %s', (_, page) => {
    expect(missing([`/help/${page}`])).toEqual([]);
  });

  it('of error codes, warnings and reasons in the command line exist', () => {
    expect(Object.keys(WORDS).length).toBeGreaterThan(150);
    expect(missing(Object.values(WORDS))).toEqual([]);
  });

  // red when: a new warning has no row in docs/installing.md
  it.each(Object.keys(build.warning.names))('of the warning %s lead to its row', (code) => {
    expect(missing(['ios', 'android'].map((platform) => helpOfWarning(code, platform)))).toEqual([]);
  });

  it('of errors lead to their pages, at the row of the reason', () => {
    const codes = Object.values(ERROR_CATALOGUE).map(({ code }) => code);
    const addresses = codes.flatMap((code) => [
      helpOfError(code, null),
      ...Object.keys(ERROR_REASONS[code] ?? {}).map((reason) => helpOfError(code, reason)),
    ]);
    expect(addresses.length).toBeGreaterThan(100);
    expect(missing(addresses)).toEqual([]);
  });
});
