import { realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import { usageError } from '../output/cli-error';

/**
 * Rejects a file that lies outside of a folder, also when a symbolic link leads to it: the author of a repository must not choose which
 * files of this machine are sent.
 * @throws CliError for such a file. A file that does not exist passes.
 */
export function rejectOutside(folder: string, file: string): void {
  let path: string;
  try {
    path = relative(realpathSync(folder), realpathSync(file));
  } catch {
    return;
  }
  if (path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path)) return;
  throw usageError(`${file} leads out of ${folder}. Copy the file into the folder, or name it itself.`);
}
