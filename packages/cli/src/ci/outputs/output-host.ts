import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Environment } from '../../environment';

/** The parts of the machine and the process that publishing needs. */
export interface OutputHost {
  readonly env: Environment;
  /** Whether standard output must contain one JSON document only. */
  readonly isJson: boolean;
  /** @throws when the file cannot be written. */
  readonly appendFile: (path: string, text: string) => void;
  /** @throws when the file cannot be written. */
  readonly writeFile: (path: string, text: string) => void;
  /** Writes a line to the log of the step. */
  readonly writeLine: (stream: 'stdout' | 'stderr', line: string) => void;
  /** Runs a program with a text as standard input. Returns false when it is missing or fails. */
  readonly run: (command: string, args: readonly string[], input: string) => boolean;
  readonly randomId: () => string;
}

const PROGRAM_TIMEOUT_MS = 60_000;

/** Publishing on the machine that this process runs on. Paths are relative to `cwd`. */
export const localOutputHost = ({
  env,
  cwd,
  isJson,
  writeLine,
}: Pick<OutputHost, 'env' | 'isJson' | 'writeLine'> & { readonly cwd: string }): OutputHost => ({
  env,
  isJson,
  writeLine,
  appendFile: (file, text) => appendFileSync(path.resolve(cwd, file), text),
  writeFile: (file, text) => writeFileSync(path.resolve(cwd, file), text),
  run: (command, args, input) => {
    try {
      execFileSync(command, args, { cwd, input, stdio: ['pipe', 'ignore', 'ignore'], timeout: PROGRAM_TIMEOUT_MS });
      return true;
    } catch {
      return false;
    }
  },
  randomId: randomUUID,
});
