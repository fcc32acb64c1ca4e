import { readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { usageError } from '../output/cli-error';
import { rejectOutside } from './inside';
import { type LocalFile } from './local-file';

/** The file that Android's build tools write beside the files of a variant. */
const ANDROID_METADATA = 'output-metadata.json';
const BUILDS = /\.(ipa|apk|aab)$/i;

/**
 * The files that arguments name. A folder stands for the files that its `output-metadata.json` lists, otherwise for its newest build.
 * @throws CliError when there is no such file, or when one is empty.
 */
export function findFiles(paths: readonly string[], cwd: string): LocalFile[] {
  const files = paths.flatMap((path) => filesAt(resolve(cwd, path), path));
  const seen = new Set<string>();
  for (const { path } of files) {
    if (seen.has(path)) throw usageError(`${path} is named twice. Name each file once.`);
    seen.add(path);
  }
  return files;
}

function filesAt(path: string, given: string): LocalFile[] {
  const stats = statsOf(path, given);
  if (stats.isDirectory()) {
    return buildsIn(path, given).map((file) => {
      rejectOutside(path, file);
      return localFile(file, statsOf(file, file));
    });
  }
  if (!stats.isFile()) throw usageError(`${given} is not a file.`);
  return [localFile(path, stats)];
}

function localFile(path: string, { size }: Stats): LocalFile {
  if (size === 0) throw usageError(`${path} is empty.`);
  return { path, name: basename(path), size };
}

function statsOf(path: string, given: string): Stats {
  try {
    return statSync(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw usageError(code === 'ENOENT' ? `There is no file ${given}.` : `${given} cannot be read: ${message}`);
  }
}

/** @throws CliError when the folder contains no build. */
function buildsIn(folder: string, given: string): string[] {
  const listed = androidOutputsOf(folder);
  if (listed.length > 0) return listed;
  const [newest] = readdirSync(folder)
    .filter((name) => BUILDS.test(name))
    .map((name) => ({ path: join(folder, name), stats: statsOf(join(folder, name), name) }))
    .filter(({ stats }) => stats.isFile())
    .sort((a, b) => b.stats.mtimeMs - a.stats.mtimeMs);
  if (!newest) throw usageError(`The folder ${given} contains no .ipa, .apk or .aab file.`);
  return [newest.path];
}

/** The files of the latest Android build. Empty when the folder has no list of them. */
function androidOutputsOf(folder: string): string[] {
  const file = join(folder, ANDROID_METADATA);
  let text;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  try {
    const { elements } = JSON.parse(text) as { elements: readonly { outputFile: string }[] };
    return elements.map(({ outputFile }) => resolve(folder, outputFile));
  } catch {
    throw usageError(`${file} is not a list of Android outputs. Name the file to upload instead.`);
  }
}
