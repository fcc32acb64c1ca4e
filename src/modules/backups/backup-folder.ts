import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { AppError } from '#kernel/errors/app-error';
import { type DumpedFile } from './database/database-dump';
import { digestOfFile, replaceText } from './database/durable-file';
import { LocalBlobStore } from '#infra/blob/local/local-blob-store';
import { nullIfMissing } from '#infra/blob/local/local-folder';
import { type Manifest, parseManifest } from './manifest';

/** An artifact as the database knows it. */
export interface ListedArtifact {
  readonly key: string;
  readonly sizeBytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly buildId: string;
}

/** The name of the list of artifacts among the files of the database. */
export const ARTIFACTS = 'artifacts';

/**
 * Where a backup lies: `manifest.json`, `database/<id>/…`, and `artifacts/…` as a local store keeps them. The manifest is written
 * last and names the rest; what it does not name is left over from a backup before, or from one that was interrupted.
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
    const message = `There is no whole backup in ${this.path}: it has no manifest.json.`;
    throw new AppError('not_found', { message });
  }

  /** It is to be a place for backups alone: empty, with backups in it, or not there. @throws AppError operation_not_allowed */
  async requireOwn(): Promise<void> {
    const strange = ((await nullIfMissing(readdir(this.path))) ?? []).find(
      (name) => !/^(artifacts|database|manifest\.json(\.draft)?)$/.test(name),
    );
    if (strange === undefined) return;
    const message = `${this.path} holds something else (${strange}). Name an empty folder, or one with a backup.`;
    throw new AppError('operation_not_allowed', { message, details: { reason: 'folder_not_empty' } });
  }

  /** Makes the folder for the database of a backup to come. */
  async makeDatabase(id: string): Promise<string> {
    await mkdir(this.databaseOf(id), { recursive: true, mode: 0o700 });
    return this.databaseOf(id);
  }

  databaseOf(id: string): string {
    return join(this.path, 'database', id);
  }

  /** From now on this is the backup that is here. */
  async publish(manifest: Manifest): Promise<void> {
    await replaceText(join(this.path, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  }

  /** Removes what the present backup does not name. */
  async tidy(manifest: Manifest): Promise<void> {
    for (const id of await readdir(join(this.path, 'database'))) {
      if (id !== manifest.id) await rm(this.databaseOf(id), { recursive: true });
    }
    const named = new Set<string>();
    if (manifest.artifacts) for await (const { key } of this.listed(manifest)) named.add(key);
    for await (const { key } of this.artifacts.list('')) if (!named.has(key)) await this.artifacts.delete(key);
  }

  /** The artifacts that the database speaks of, by key. */
  async *listed(manifest: Pick<Manifest, 'id' | 'database'>): AsyncGenerator<ListedArtifact> {
    const list = manifest.database.lists[ARTIFACTS];
    if (!list) return;
    for await (const line of linesOf(join(this.databaseOf(manifest.id), list.file))) {
      const [key = '', size, sha256 = '', buildId = ''] = line.split('\t');
      yield { key, sizeBytes: Number(size), sha256, buildId };
    }
  }

  /** @throws AppError invalid_input when a file of the database is not what was written. */
  async verifyDatabase(manifest: Manifest, report: (done: number, total: number) => void): Promise<void> {
    const files: DumpedFile[] = [...manifest.database.tables, ...Object.values(manifest.database.lists)];
    for (const [index, { file, sha256 }] of files.entries()) {
      const found = await nullIfMissing(digestOfFile(join(this.databaseOf(manifest.id), file)));
      if (found?.sha256 !== sha256) {
        const how = found ? 'damaged' : 'missing';
        throw AppError.invalidInput(
          `file_${how}`,
          `This backup cannot be restored: database/${manifest.id}/${file} is ${how}.`,
        );
      }
      report(index + 1, files.length);
    }
  }
}

/** The lines of a zipped file, as they are read. */
async function* linesOf(path: string): AsyncGenerator<string> {
  // Whatever fails, fails the reading of the last of them.
  const text = pipeline(createReadStream(path), createGunzip(), () => undefined);
  let rest = '';
  for await (const chunk of text) {
    const lines = `${rest}${String(chunk)}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
