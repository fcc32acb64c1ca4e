import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processIdentity, worksIn } from './process-table';

/** The main process of a PostgreSQL server, read from its lock file. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  readonly status: string;
}

const POLL_MS = 20;
const FAST_STOP_MS = 30_000;

/** Reads `postmaster.pid`, whose lines are pid, data directory, start time, port, socket, address, memory key and status. */
export async function readPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const lines = (await readFile(pidFile(cluster), 'utf8').catch(() => '')).split('\n');
  if (!/^\d+$/.test(lines[0] ?? '')) return undefined;
  return { pid: Number(lines[0]), port: Number(lines[3]), status: lines[7]?.trim() ?? '' };
}

/**
 * The ready server that runs on `cluster`. Waits while a server is starting or stopping. Undefined when none runs.
 */
export async function findRunningPostmaster(cluster: string): Promise<Postmaster | undefined> {
  for (;;) {
    const found = await readPostmaster(cluster);
    if (found === undefined) return undefined;
    if (!(await worksIn(found.pid, cluster))) {
      await releaseStalePid(cluster, found);
      return undefined;
    }
    if (found.status === 'ready') return found;
    await sleep(POLL_MS);
  }
}

/** Stops a server like `pg_ctl stop -m fast`, and after 30 seconds like `-m immediate`. */
export async function stopPostmaster(pid: number): Promise<void> {
  const identity = await processIdentity(pid);
  if (identity === undefined) return;
  const isAlive = async () => (await processIdentity(pid)) === identity;
  signal(pid, 'SIGINT');
  const timeout = AbortSignal.timeout(FAST_STOP_MS);
  while (await isAlive()) {
    if (timeout.aborted) signal(pid, 'SIGQUIT');
    await sleep(POLL_MS);
  }
}

/**
 * Lets PostgreSQL start when the pid of a dead server now belongs to another process, which is likely after a restart of a container.
 * PostgreSQL refuses to start then, except when the pid is its own parent's, so this process's pid is written. The other lines stay,
 * because PostgreSQL uses them to find orphans of the dead server.
 */
async function releaseStalePid(cluster: string, stale: Postmaster): Promise<void> {
  if ((await processIdentity(stale.pid)) === undefined && !exists(stale.pid)) return;
  const [, ...rest] = (await readFile(pidFile(cluster), 'utf8')).split('\n');
  await writeFile(pidFile(cluster), [String(process.pid), ...rest].join('\n'));
}

/** True when a process, or a zombie, has this pid. */
function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

const pidFile = (cluster: string) => path.join(cluster, 'postmaster.pid');
