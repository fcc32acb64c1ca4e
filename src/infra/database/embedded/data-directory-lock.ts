import { chmod, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { StartupError } from '#kernel/errors/startup-error';
import { tryLockFile, type LockFile } from './lock-file';

/**
 * Claims a data directory for this process, for as long as it lives: what the embedded defaults keep there (database, keys,
 * artifacts) has one owner. Creates the directory when it is missing, open to passing through (0711) because PostgreSQL may
 * run below it under another account.
 *
 * @throws StartupError when another process has it.
 */
export async function lockDataDirectory(dataDirectory: string): Promise<LockFile> {
  if (await mkdir(dataDirectory, { recursive: true })) await chmod(dataDirectory, 0o711);
  const lock = await tryLockFile(path.join(dataDirectory, 'agate.lock'));
  if (!('heldBy' in lock)) return lock;
  throw new StartupError(
    `Agate is already running on the data directory ${dataDirectory} (process ${lock.heldBy}). ` +
      'Stop it first, or give this one its own DATA_DIR and PORT.',
  );
}
