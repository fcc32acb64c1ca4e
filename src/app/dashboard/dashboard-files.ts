import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { readStoredFiles, type StoredFile } from '../stored-files';

/** Static files of the dashboard are served below this path. Each file name contains a hash of its content. */
export const STATIC_ROUTE = '/static';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** A static file with its compressed forms. */
export interface DashboardFile extends StoredFile {
  readonly contentType: string;
}

/** An entry of Vite's manifest for a source or chunk: its file, and the manifest keys of the chunks that it imports. */
export interface ManifestChunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}
/** The files, texts and requests that a screen needs first, as the build wrote them. */
export interface FirstNeeds {
  /** Keys of the manifest. */
  readonly sources: readonly string[];
  /** Areas of the texts, such as `billing`, which are one chunk in each language. */
  readonly words: readonly string[];
  /** Requests to the API, with the names of parameters of the path: `/api/v1/projects?organization_id=$org`. */
  readonly requests: readonly string[];
}
type Manifest = Readonly<Record<string, ManifestChunk>>;

/** The built dashboard, read once at startup. */
export class DashboardFiles {
  /** `index.html` as Vite wrote it. */
  readonly index: string;
  /** The first needs of each screen, by the pattern of the dashboard's router, for example `/o/$org/members`. */
  readonly routes: ReadonlyMap<string, FirstNeeds>;
  /** The licences of the libraries in the scripts, which contain no comments. */
  readonly licenses: string;
  private readonly manifest: Manifest;
  private readonly byName: ReadonlyMap<string, DashboardFile>;

  /** @throws when the directory does not contain a complete build. */
  constructor(directory: string) {
    this.index = readFileSync(join(directory, 'index.html'), 'utf8');
    this.routes = new Map(
      Object.entries(JSON.parse(readFileSync(join(directory, 'routes.json'), 'utf8')) as Record<string, FirstNeeds>),
    );
    this.licenses = readFileSync(join(directory, 'LICENSES'), 'utf8');
    this.manifest = JSON.parse(readFileSync(join(directory, '.vite', 'manifest.json'), 'utf8')) as Manifest;
    this.byName = readStatic(join(directory, 'static'));
  }

  /** The file of a name below `/static/`, null when there is none. */
  find(name: string): DashboardFile | null {
    return this.byName.get(name) ?? null;
  }

  /** The chunk of a source file and every chunk that it imports, as paths. Empty when the build has no such chunk. */
  chunksOf(source: string, found = new Set<string>()): ReadonlySet<string> {
    const chunk = this.manifest[source];
    if (!chunk || found.has(`/${chunk.file}`)) return found;
    found.add(`/${chunk.file}`);
    for (const imported of chunk.imports ?? []) this.chunksOf(imported, found);
    return found;
  }
}

/** Whether a directory contains a built dashboard. */
export const hasDashboard = (directory: string): boolean => existsSync(join(directory, 'index.html'));

const readStatic = (directory: string): Map<string, DashboardFile> =>
  new Map(
    [...readStoredFiles(directory)].map(([name, file]) => [
      name,
      { ...file, contentType: CONTENT_TYPES[extname(name)] ?? 'application/octet-stream' },
    ]),
  );
