import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type OutputHost } from './output-host';

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
