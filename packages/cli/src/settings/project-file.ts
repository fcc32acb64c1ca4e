import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { usageError } from '../output/cli-error';

/** The file in which a repository keeps the settings that all its machines share. */
export const PROJECT_FILE = '.agate.json';

/** The content of a project file. */
export interface ProjectFile {
  readonly url?: string;
  readonly organization?: string;
  readonly project?: string;
  /** Names of channels. */
  readonly channel?: string | readonly string[];
  readonly parallel?: number;
}

const TYPES: Readonly<Record<keyof ProjectFile, (value: unknown) => boolean>> = {
  url: isText,
  organization: isText,
  project: isText,
  channel: (value) => isText(value) || (Array.isArray(value) && value.every(isText)),
  parallel: (value) => Number.isInteger(value),
};

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

/**
 * Reads the project file of a folder or of the nearest folder above it, up to the root of the repository. Folders above it that have
 * another owner are not searched: their owner must not choose the settings. Empty when there is no file.
 * @throws CliError when it is not valid, or when it contains a token.
 */
export function readProjectFile(folder: string): ProjectFile {
  const owner = ownerOf(folder);
  for (let current = folder; ownerOf(current) === owner; current = dirname(current)) {
    const file = join(current, PROJECT_FILE);
    const text = contentOf(file, owner);
    if (text !== null) return parsed(file, text);
    if (existsSync(join(current, '.git')) || dirname(current) === current) break;
  }
  return {};
}

/** The user who owns a file or folder. Null when it does not exist; 0 on Windows. */
const ownerOf = (path: string): number | null => statSync(path, { throwIfNoEntry: false })?.uid ?? null;

/** Null when there is no file, or one that neither the owner of the folder nor the user of this process has written. */
function contentOf(file: string, owner: number | null): string | null {
  try {
    const writer = ownerOf(file);
    return writer === owner || writer === process.getuid?.() ? readFileSync(file, 'utf8') : null;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw usageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

function parsed(file: string, text: string): ProjectFile {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw usageError(`${file} is not JSON: ${(error as Error).message}`);
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw usageError(`${file} must contain a JSON object.`);
  }
  for (const [name, value] of Object.entries(content)) {
    if (/token|password|secret/i.test(name)) {
      throw usageError(`${file} contains "${name}". Remove it and set the variable AGATE_TOKEN instead.`);
    }
    // A repository must not choose a command that is run on the machines of its readers.
    if (name === 'credential_command') {
      throw usageError(`${file} contains a credential command. Use agate login --credential-command instead.`);
    }
    const fits = TYPES[name as keyof ProjectFile] as ((value: unknown) => boolean) | undefined;
    if (!fits)
      throw usageError(`${file} contains the unknown setting "${name}". Use ${Object.keys(TYPES).join(', ')}.`);
    if (!fits(value)) throw usageError(`${file}: the value of "${name}" is not valid.`);
  }
  return content;
}
