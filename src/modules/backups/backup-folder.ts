import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { AppError } from '#kernel/errors/app-error';
import { isUuid } from '#kernel/ids';
import { LocalBlobStore } from '#infra/blob/local/local-blob-store';
import { nullIfMissing } from '#infra/blob/local/local-folder';
import { type DumpedFile } from './database/database-dump';
import { digestOfFile, replaceText, unusableFile, verifying } from './database/durable-file';
import { type Manifest, parseManifest } from './manifest';

/** An artifact of a build in the backed-up database. */
export interface ListedArtifact {
  readonly key: string;
  readonly sizeBytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly buildId: string;
}

/** The name of the artifact list in the database dump. */
export const ARTIFACTS = 'artifacts';

/**
 * The folder of a backup: `manifest.json`, `database/<id>/…`, and `artifacts/…` in the layout of a local blob store. The manifest is
 * written last and names all other files. Files that it does not name are left from an earlier or an interrupted backup.
 */
export class BackupFolder {
  readonly path: string;
  readonly artifacts: LocalBlobStore;

  constructor(path: string) {
    this.path = resolve(path);
    this.artifacts = new LocalBlobStore(join(this.path, 'artifacts'));
  }

  async findManifest(): Promise<Manifest | null> {
    const text = await nullIfMissing(readFile(join(this.path, 'manifest.json'), 'utf8'));
    return text === null ? null : parseManifest(text);
  }

  /** @throws AppError not_found */
  async manifest(): Promise<Manifest> {
    const manifest = await this.findManifest();
    if (manifest) return manifest;
    const message = `There is no complete backup in ${this.path}, because it has no manifest.json. Name the folder of a backup.`;
    throw new AppError('not_found', { message });
  }

  /**
   * The folder may be missing, be empty or hold a backup.
   * @throws AppError operation_not_allowed when it holds other files, or links: a backup writes and deletes files in its folder only.
   */
  async requireBackupsOnly(): Promise<void> {
    const other = ((await nullIfMissing(readdir(this.path, { withFileTypes: true }))) ?? []).find(
      (entry) => entry.isSymbolicLink() || !/^(artifacts|database|manifest\.json(\.draft)?)$/.test(entry.name),
    );
    if (other === undefined) return;
    const kind = other.isSymbolicLink() ? 'a symbolic link' : 'other files';
    const message = `${this.path} contains ${kind} (${other.name}). Name an empty folder, or the folder of a backup.`;
    throw new AppError('operation_not_allowed', { message, details: { reason: 'folder_not_empty' } });
  }

  /** Creates the folder for the database dump of a new backup. */
  async createDatabaseFolder(id: string): Promise<string> {
    await mkdir(this.databaseOf(id), { recursive: true, mode: 0o700 });
    return this.databaseOf(id);
  }

  databaseOf(id: string): string {
    return join(this.path, 'database', id);
  }

  /** Makes this backup the current one of the folder, atomically. */
  async publish(manifest: Manifest): Promise<void> {
    await replaceText(join(this.path, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  }

  /** Deletes the files that the current backup does not name. */
  async deleteUnlisted(manifest: Manifest): Promise<void> {
    for (const id of await readdir(join(this.path, 'database'))) {
      if (isUuid(id) && id !== manifest.id) await rm(this.databaseOf(id), { recursive: true });
    }
    const named = new Set<string>();
    if (manifest.artifacts) for await (const { key } of this.listArtifacts(manifest)) named.add(key);
    for await (const { key } of this.artifacts.list('')) if (!named.has(key)) await this.artifacts.delete(key);
  }

  /** The artifacts of all builds in the database dump, ordered by key. */
  async *listArtifacts(manifest: Pick<Manifest, 'id' | 'database'>): AsyncGenerator<ListedArtifact> {
    const list = manifest.database.lists[ARTIFACTS];
    if (!list) return;
    for await (const line of linesOf(this.databaseOf(manifest.id), list)) {
      const [key = '', size, sha256 = '', buildId = ''] = line.split('\t');
      yield { key, sizeBytes: Number(size), sha256, buildId };
    }
  }

  /** @throws AppError invalid_input when a file of the database dump is missing or has another digest. */
  async verifyDatabase(manifest: Manifest, report: (done: number, total: number) => void): Promise<void> {
    const files: DumpedFile[] = [...manifest.database.tables, ...Object.values(manifest.database.lists)];
    for (const [index, { file, sha256 }] of files.entries()) {
      const found = await nullIfMissing(digestOfFile(join(this.databaseOf(manifest.id), file)));
      if (found?.sha256 !== sha256) {
        throw unusableFile(`database/${manifest.id}/${file}`, found ? 'damaged' : 'missing');
      }
      report(index + 1, files.length);
    }
  }
}

/** Reads a gzip file line by line. @throws AppError invalid_input at its end when it has another digest. */
async function* linesOf(folder: string, list: DumpedFile): AsyncGenerator<string> {
  // An error of any stream destroys `text`, so the loop below throws it.
  const source = createReadStream(join(folder, list.file));
  const text = pipeline(source, verifying(list), createGunzip(), () => undefined);
  let rest = '';
  for await (const chunk of text) {
    const lines = `${rest}${String(chunk)}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
