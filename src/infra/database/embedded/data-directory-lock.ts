import { chmod, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { StartupError } from '#kernel/errors/startup-error';
import { type LockFile, tryLockFile } from './lock-file';

/**
 * Locks a data directory for the lifetime of this process, because only one process may use the embedded database, keys and artifacts.
 * Creates a missing directory with mode 0711, because PostgreSQL may run below it under another account.
 *
 * @throws StartupError when another process holds the lock.
 */
export async function lockDataDirectory(dataDirectory: string): Promise<LockFile> {
  if (await mkdir(dataDirectory, { recursive: true })) await chmod(dataDirectory, 0o711);
  const lock = await tryLockFile(path.join(dataDirectory, 'agate.lock'));
  if (!('heldBy' in lock)) return lock;
  throw new StartupError(
    `Agate is already running on the data directory ${dataDirectory} (process ${lock.heldBy}). ` +
      'Stop it first, or set another DATA_DIR and PORT.',
  );
}
