import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { processIdentity } from './process-table';

/** A lock that this process holds until `release`, or until it dies. */
export interface LockFile {
  release(): Promise<void>;
}

/** Who holds the lock instead. */
export interface LockHolder {
  readonly heldBy: number;
}

/**
 * Takes the lock kept in `file`, or says which process holds it. The file names its holder by process id and start time, so
 * that a lock left by a killed process is taken over, also when its id has meanwhile gone to another process. Not for folders
 * that several machines share.
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

/** Creates `file` with all of its content at once (0600); false when it exists already. */
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

/** Removes the file only while it holds `content`: of two processes that saw the same stale lock, one may be late. */
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
