import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { type Place } from './server-process';

const ROOT = join(__dirname, '../../..');

export interface ConsoleRun {
  readonly status: number | null;
  readonly out: string;
  /** The same, as it came. */
  readonly bytes: Buffer;
  readonly err: string;
}

export interface ConsoleProcess {
  readonly kill: () => void;
  readonly done: Promise<ConsoleRun>;
}

/** The real command line (`src/cli.ts`) in a process of its own, on a service's database; nobody is there to be asked. */
export function operator(place: Place, ...words: readonly string[]): Promise<ConsoleRun> {
  return startOperator(place, words).done;
}

/** The same, to be killed, or with more of an environment. */
export function startOperator(
  place: Place,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): ConsoleProcess {
  const child = spawn(
    process.execPath,
    ['--require', join(ROOT, 'test/support/processes/run-typescript.cjs'), join(ROOT, 'src/cli.ts'), ...words],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        NODE_ENV: 'test',
        LOG_LEVEL: 'warn',
        DATA_DIR: place.dataDirectory,
        ...(place.database && { DATABASE_URL: place.database.url }),
        ...(place.database?.ownerUrl && { DATABASE_OWNER_URL: place.database.ownerUrl }),
        ...environment,
      },
    },
  );
  const ended = Promise.all([buffer(child.stdout), text(child.stderr), once(child, 'close')]);
  const done = ended.then(([bytes, err, [status]]) => ({
    status: status as number | null,
    out: bytes.toString(),
    bytes,
    err,
  }));
  return { kill: () => child.kill('SIGKILL'), done };
}
