import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { usageError } from '../output/cli-error';
import { PROJECT_FILE, type ProjectFile } from '../settings/project-file';

/** Writes the project file of a folder. @throws CliError when it exists and must not be replaced, or cannot be written. */
export async function writeProjectFile(folder: string, settings: ProjectFile, replaces: boolean): Promise<string> {
  const path = join(folder, PROJECT_FILE);
  try {
    await writeFile(path, `${JSON.stringify(settings, null, 2)}\n`, { flag: replaces ? 'w' : 'wx' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw usageError(`${PROJECT_FILE} exists already. Use --force to replace it.`);
    throw usageError(`${path} cannot be written: ${message}`);
  }
  return path;
}
