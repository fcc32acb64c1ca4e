import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join, relative } from 'node:path';
import { decodeText } from '@agate/client';
import { usageError } from '../../output/cli-error';
import { rejectOutside } from '../../upload/inside';
import { type LocalFile } from '../../upload/local-file';
import { type BuildSource } from '../plan/build-source';
import { byTime, EMPTY_BUILD, type ImportPlan, type PlannedBuild, planOf } from '../plan/import-plan';
import { APP_CENTER_RELEASES, readAppCenterReleases } from './app-center';
import { IMPORT_CSV, readImportCsv } from './import-csv';
import { IMPORT_JSON, readImportJson } from './import-json';

const ARTIFACTS = new Set('.ipa .apk .aab .dmg .pkg .exe .msi .msix .appx .deb .rpm .appimage .zip .gz .xz'.split(' '));

/**
 * The content of a folder: as its `import.json`, `import.csv` or App Center's `releases.json` describes it, else all artifacts in it, the
 * oldest file first.
 * @throws CliError when the folder does not exist or has no artifacts, or when its description is wrong.
 */
export async function readFolder(folder: string): Promise<ImportPlan> {
  const files = await artifactsIn(folder);
  const readers: readonly [string, (text: string) => ImportPlan][] = [
    [IMPORT_JSON, readImportJson],
    [IMPORT_CSV, readImportCsv],
    [APP_CENTER_RELEASES, (text) => readAppCenterReleases(text, files)],
  ];
  for (const [name, read] of readers) {
    rejectOutside(folder, join(folder, name));
    const text = await textOf(join(folder, name));
    if (text !== null) return read(text);
  }
  if (files.length === 0) throw usageError(`"${folder}" contains no builds, and no ${IMPORT_JSON} or ${IMPORT_CSV}.`);
  const dated = await Promise.all(
    files.map(async (file) => ({ file, time: (await stat(join(folder, file))).mtime.toISOString() })),
  );
  // The modification time of a file gives the order in which the files were made. It is not the time of the upload.
  return planOf(byTime(dated, ({ time }) => time).map(({ file }) => ({ ...EMPTY_BUILD, file })));
}

/** Paths relative to the folder, without hidden files. */
async function artifactsIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    throw usageError(`"${folder}" cannot be read as a folder: ${(error as Error).message}`);
  });
  return entries
    .filter(
      (entry) => entry.isFile() && !entry.name.startsWith('.') && ARTIFACTS.has(extname(entry.name).toLowerCase()),
    )
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted();
}

const textOf = (file: string): Promise<string | null> =>
  readFile(file).then(decodeText, (error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });

/** Files of a folder. */
export class FolderSource implements BuildSource {
  constructor(private readonly folder: string) {}

  async use<Result>({ file }: PlannedBuild, work: (file: LocalFile) => Promise<Result>): Promise<Result> {
    const path = join(this.folder, file);
    rejectOutside(this.folder, path);
    const found = await stat(path).catch(() => null);
    if (!found?.isFile()) throw usageError(`There is no file ${path}.`);
    if (found.size === 0) throw usageError(`${path} is empty.`);
    return work({ path, name: basename(path), size: found.size });
  }
}
