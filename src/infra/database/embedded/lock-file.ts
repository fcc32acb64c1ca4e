import { createHash, randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
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
    await removeStale(file, found);
  }
}

/**
 * Deletes the lock of a process that has ended, under a second lock of its own: otherwise a slow process could delete the lock with
 * which a faster one has replaced the stale lock.
 */
async function removeStale(file: string, content: string): Promise<void> {
  const turn = await tryLockFile(`${file}.${createHash('sha256').update(content).digest('hex').slice(0, 16)}`);
  if ('heldBy' in turn) return;
  await remove(file, content);
  await turn.release();
}

/** Creates `file` atomically with its content (mode 0600). False when it exists. */
async function createExclusively(file: string, content: string): Promise<boolean> {
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

/** Deletes the file if it holds `content`. The caller is the only process that deletes a file with this content. */
async function remove(file: string, content: string): Promise<void> {
  if ((await read(file)) === content) await rm(file, { force: true });
}

const read = (file: string): Promise<string | undefined> => readFile(file, 'utf8').catch(() => undefined);
