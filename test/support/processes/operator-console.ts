import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { buffer, text } from 'node:stream/consumers';
import { programOf } from './program';
import { type Place } from './server-process';

export interface ConsoleRun {
  readonly status: number | null;
  readonly out: string;
  /** Standard output as bytes. */
  readonly bytes: Buffer;
  readonly err: string;
}

export interface ConsoleProcess {
  readonly kill: () => void;
  readonly done: Promise<ConsoleRun>;
}

/** Runs the operator console in a child process, on the database of a service and without a terminal. */
export function operator(place: Place, ...words: readonly string[]): Promise<ConsoleRun> {
  return startOperator(place, words).done;
}

/** Starts the operator console with additional environment variables, and can kill it. */
export function startOperator(
  place: Place,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): ConsoleProcess {
  const child = spawn(process.execPath, [...programOf('cli'), ...words], {
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
  });
  const ended = Promise.all([buffer(child.stdout), text(child.stderr), once(child, 'close')]);
  const done = ended.then(([bytes, err, [status]]) => ({
    status: status as number | null,
    out: bytes.toString(),
    bytes,
    err,
  }));
  return { kill: () => child.kill('SIGKILL'), done };
}
