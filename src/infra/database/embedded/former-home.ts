import { execFile } from 'node:child_process';
import { readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { StartupError } from '#kernel/errors/startup-error';
import { findRunningPostmaster, stopPostmaster } from './postmaster';

const run = promisify(execFile);

/** The files of the database. The copied programs and the lock are not among them. */
const FILES = ['password', 'application-password', 'port'];

/**
 * Moves a database back into `wanted`. Earlier versions kept it in /var/tmp when the account of PostgreSQL could not enter a folder above
 * `wanted`, and wrote its path into the file `location`. After an interruption, the next call continues: the former folder is deleted last.
 *
 * @returns true when there was such a folder.
 * @throws StartupError when the former folder does not exist.
 */
export async function takeBack(wanted: string, log: (message: string) => void): Promise<boolean> {
  const location = path.join(wanted, 'location');
  const former = (await readFile(location, 'utf8').catch(() => '')).trim();
  if (former === '') return false;
  const cluster = path.join(wanted, 'cluster');
  if (!(await exists(cluster))) {
    if (!(await exists(former))) throw isGone(wanted, former, location);
    if (await exists(path.join(former, 'cluster'))) {
      log(`Moving the database from ${former} to ${wanted}.`);
      await move(former, wanted);
    }
  }
  await rm(location);
  await rm(former, { recursive: true, force: true });
  return true;
}

async function move(former: string, wanted: string): Promise<void> {
  const from = path.join(former, 'cluster');
  const running = await findRunningPostmaster(from);
  if (running) await stopPostmaster(running.pid);
  for (const file of FILES) if (await exists(path.join(former, file))) await copy(path.join(former, file), wanted);
  const draft = path.join(wanted, 'cluster.moving');
  await rm(draft, { recursive: true, force: true });
  try {
    await rename(from, draft);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    await copy(from, draft);
    await run('sync', []);
  }
  await rename(draft, path.join(wanted, 'cluster'));
}

/** Keeps owners, modes and times, which node's own copy does not. */
const copy = (from: string, to: string) => run('cp', ['-a', '--', from, to]);

const exists = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );

const isGone = (wanted: string, former: string, location: string): StartupError =>
  new StartupError(
    `The database of ${wanted} was kept in ${former}, which does not exist. ` +
      `Restore it, or delete ${location} to start with an empty database.`,
  );
