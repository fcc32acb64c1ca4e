import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { type Theme } from '../dashboard/dashboard-page';
import { readStoredFiles, type StoredFile } from '../stored-files';

/** The path of the first page. All others are below it. */
export const HELP_ROUTE = '/help';

/** What surrounds every page. The build chooses it, and the pages that this process renders have the same. */
export interface HelpLayout {
  readonly texts: Readonly<Record<string, string>>;
  readonly version: string;
  readonly stylesheet: string;
  readonly icon: string;
  readonly navigation: readonly {
    readonly title: string;
    readonly items: readonly { readonly address: string; readonly label: string }[];
  }[];
}

/** A file with the headers that do not depend on the request. */
export interface HelpFile extends StoredFile {
  readonly headers: Readonly<Record<string, string>>;
  /** The hash of the content. */
  readonly tag: string;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
};
const PLAIN_TEXT = 'text/plain; charset=utf-8';

/** The documents of this version, as the build wrote them, read once at startup. */
export class HelpFiles {
  readonly layout: HelpLayout;
  /** Style sheets with the colours of one theme. */
  readonly themes: Readonly<Record<Theme, string>>;
  /** The pages by their paths. */
  readonly pages: ReadonlyMap<string, HelpFile>;
  /** Style sheets and pictures by the names below `/help/assets/`, each of which contains a hash of the content. */
  readonly assets: ReadonlyMap<string, HelpFile>;
  /** The index of the search, as JSON. */
  readonly index: Buffer;

  /** @throws when the directory does not contain a complete build. */
  constructor(directory: string) {
    const { layout, themes, pages } = JSON.parse(readFileSync(join(directory, 'help.json'), 'utf8')) as {
      readonly layout: HelpLayout;
      readonly themes: Readonly<Record<Theme, string>>;
      readonly pages: Readonly<Record<string, { readonly file: string; readonly language: string }>>;
    };
    const stored = readStoredFiles(join(directory, 'pages'));
    this.layout = layout;
    this.themes = themes;
    this.index = readFileSync(join(directory, 'search.json'));
    this.pages = new Map(
      Object.entries(pages).map(([address, { file, language }]) => [
        address,
        helpFile(file, stored.get(file)!, { 'Cache-Control': 'public, no-cache', 'Content-Language': language }),
      ]),
    );
    this.assets = new Map(
      [...readStoredFiles(join(directory, 'assets'))].map(([name, file]) => [
        name,
        helpFile(name, file, { 'Cache-Control': 'public, max-age=31536000, immutable' }),
      ]),
    );
  }
}

/** Whether a directory contains the built documents. */
export const hasHelp = (directory: string): boolean => existsSync(join(directory, 'help.json'));

const helpFile = (name: string, file: StoredFile, headers: Readonly<Record<string, string>>): HelpFile => ({
  ...file,
  headers: { 'Content-Type': CONTENT_TYPES[extname(name)] ?? PLAIN_TEXT, Vary: 'Accept-Encoding', ...headers },
  tag: createHash('sha256').update(file.identity).digest('base64url'),
});
