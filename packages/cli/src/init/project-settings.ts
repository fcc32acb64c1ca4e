import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Context } from '../context';
import { interruptedError, usageError } from '../output/cli-error';
import { PROJECT_FILE, type ProjectFile } from '../settings/project-file';
import { agrees } from '../terminal/questions';

/**
 * Whether to replace the project file of the current folder: with `force`, or when a person agrees.
 * @throws CliError when it exists and must stay.
 */
export async function decideToReplace(context: Context, force: boolean): Promise<boolean> {
  if (force || !existsSync(join(context.process.cwd, PROJECT_FILE))) return force;
  if (!context.isInteractive) throw existsError();
  if (await agrees(context, `${PROJECT_FILE} exists already. Replace it?`)) return true;
  throw interruptedError('Nothing was changed.');
}

/** Writes the project file of a folder. @throws CliError when it exists and must not be replaced, or cannot be written. */
export async function writeProjectFile(folder: string, settings: ProjectFile, replaces: boolean): Promise<string> {
  const path = join(folder, PROJECT_FILE);
  try {
    await writeFile(path, `${JSON.stringify(settings, null, 2)}\n`, { flag: replaces ? 'w' : 'wx' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw existsError();
    throw usageError(`${path} cannot be written: ${message}`);
  }
  return path;
}

const existsError = (): Error => usageError(`${PROJECT_FILE} exists already. Use --force to replace it.`);
