import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { processIdentity } from './process-table';

/** A lock that this process holds until `release` or its end. */
export interface LockFile {
  release(): Promise<void>;
}

/** The process that holds the lock. */
export interface LockHolder {
  readonly heldBy: number;
}

/**
 * Takes the lock in `file`, or returns the process that holds it. The file names its holder by process id and start time, so that the
 * lock of a killed process is taken over even when another process has its id. Not for folders that several machines share.
 */
export async function tryLockFile(file: string): Promise<LockFile | LockHolder> {
  const own = `${process.pid} ${await processIdentity(process.pid)} ${randomBytes(8).toString('hex')}\n`;
  for (;;) {
    if (await createExclusively(file, own)) return { release: () => remove(file, own) };
    const found = await read(file);
    if (found === undefined) continue;
    const [pid = '', identity] = found.trim().split(' ');
    if (identity !== undefined && identity === (await processIdentity(Number(pid)))) return { heldBy: Number(pid) };
    await remove(file, found);
  }
}

/** Creates `file` atomically with its content (mode 0600). False when it exists. */
export async function createExclusively(file: string, content: string): Promise<boolean> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, content, { mode: 0o600, flag: 'wx' });
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Deletes the file only if it still holds `content`, because another process may have taken over the same stale lock. */
async function remove(file: string, content: string): Promise<void> {
  const aside = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await rename(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if ((await read(aside)) !== content) await link(aside, file).catch(() => undefined);
  await rm(aside, { force: true });
}

const read = (file: string): Promise<string | undefined> => readFile(file, 'utf8').catch(() => undefined);
