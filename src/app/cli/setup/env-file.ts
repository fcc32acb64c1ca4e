import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { StartupError } from '#kernel/errors/startup-error';

/** Environment variables by name. */
export type Values = Readonly<Record<string, string>>;

/** A part of the file: a comment and its variables. */
export interface EnvSection {
  readonly comment: string;
  readonly values: Values;
}

/** Values that mean the same to Node.js, Docker Compose and a shell without quotes. */
const PLAIN = /^[A-Za-z0-9_./:@+=,-]*$/;
/** Only the owner may read the file, because it contains secrets. */
const PRIVATE_FILE = 0o600;

/** The variables of a file; null when it does not exist. @throws the error of the file system when it cannot be read. */
export function readEnvFile(path: string): Values | null {
  try {
    return parseEnv(readFileSync(path, 'utf8')) as Values;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Writes the file with mode 0600. It is complete as soon as it exists, and an interrupted run leaves the former one. */
export function writeEnvFile(path: string, sections: readonly EnvSection[]): void {
  const text = sections.map(({ comment, values }) => `# ${comment}\n${linesOf(values)}`).join('\n');
  const draft = `${path}.${randomUUID()}`;
  try {
    writeFileSync(draft, text, { mode: PRIVATE_FILE, flag: 'wx', flush: true });
    renameSync(draft, path);
  } catch (error) {
    try {
      unlinkSync(draft);
    } catch {
      // It was not created.
    }
    throw error;
  }
}

const linesOf = (values: Values): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${quoted(name, value)}\n`)
    .join('');

/**
 * Single quotes keep every character in Node.js and Docker Compose.
 * @throws StartupError for a value that cannot be written so that both read the same.
 */
function quoted(name: string, value: string): string {
  if (PLAIN.test(value)) return value;
  if (!/['\r\n]/.test(value)) return `'${value}'`;
  throw new StartupError(`${name}: must not contain a single quote or a line break. In a URL, write %27 for a quote.`);
}
