import { chmod, mkdtemp, readdir, readFile, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readPostmaster, stopPostmaster } from '#infra/database/embedded/postmaster';
import { processIdentity, worksIn } from '#infra/database/embedded/process-table';

const PREFIX = 'agate-tests-';
const MEMORY = '/dev/shm';
const NEEDED_BYTES = 6 * 1024 ** 3;

/** The folder of PostgreSQL's data in the folder of a run. */
export const POSTGRES = 'postgres';

/**
 * Creates the folder of a Jest run, for its PostgreSQL and all temporary files of its tests, and removes the folders of killed runs. It is
 * in memory if there is enough, because the files of a new database take ten times as long on a disk.
 */
export async function createRunFolder(): Promise<string> {
  const disk = tmpdir();
  for (const parent of new Set([disk, MEMORY])) await removeLeftovers(parent);
  const folder = await mkdtemp(path.join((await isMemoryUsable()) ? MEMORY : disk, `${PREFIX}${process.pid}-`));
  // PostgreSQL may run as another user.
  await chmod(folder, 0o1777);
  return folder;
}

/** Containers may have little shared memory, or none that programs can be started from. */
async function isMemoryUsable(): Promise<boolean> {
  const mounts = await readFile('/proc/self/mounts', 'utf8').catch(() => '');
  const options = mounts.split('\n').map((line) => line.split(' '));
  const [, , , flags] = options.find(([, folder]) => folder === MEMORY) ?? [];
  if (flags === undefined || flags.split(',').includes('noexec')) return false;
  const { bavail, bsize } = await statfs(MEMORY);
  return Math.min(bavail * bsize, process.availableMemory()) >= NEEDED_BYTES;
}

async function removeLeftovers(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(PREFIX))) {
    if (await processIdentity(Number.parseInt(name.slice(PREFIX.length), 10))) continue;
    const cluster = path.join(parent, name, POSTGRES, 'cluster');
    const server = await readPostmaster(cluster);
    if (server && (await worksIn(server.pid, cluster))) await stopPostmaster(server.pid);
    // A folder may belong to another user.
    await rm(path.join(parent, name), { recursive: true, force: true }).catch(() => undefined);
  }
}
