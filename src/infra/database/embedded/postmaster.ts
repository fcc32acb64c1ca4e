import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processIdentity, worksIn } from './process-table';

/** The main process of a PostgreSQL server, as its lock file describes it. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  readonly status: string;
}

const POLL_MS = 20;
const FAST_STOP_MS = 30_000;

/** Reads `postmaster.pid`: pid, data directory, start time, port, socket, address, memory key and status, a line each. */
export async function readPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const lines = (await readFile(pidFile(cluster), 'utf8').catch(() => '')).split('\n');
  if (!/^\d+$/.test(lines[0] ?? '')) return undefined;
  return { pid: Number(lines[0]), port: Number(lines[3]), status: lines[7]?.trim() ?? '' };
}

/**
 * The server that runs on `cluster` already, once it is ready; undefined when there is none. Waits for one that is starting
 * or stopping.
 */
export async function findRunningPostmaster(cluster: string): Promise<Postmaster | undefined> {
  for (;;) {
    const found = await readPostmaster(cluster);
    if (found === undefined) return undefined;
    if (!(await worksIn(found.pid, cluster))) {
      await disown(cluster, found);
      return undefined;
    }
    if (found.status === 'ready') return found;
    await sleep(POLL_MS);
  }
}

/** Ends a server as `pg_ctl stop -m fast` does, and as `-m immediate` when that takes too long. */
export async function stopPostmaster(pid: number): Promise<void> {
  const identity = await processIdentity(pid);
  if (identity === undefined) return;
  const isAlive = async () => (await processIdentity(pid)) === identity;
  signal(pid, 'SIGINT');
  const patience = AbortSignal.timeout(FAST_STOP_MS);
  while (await isAlive()) {
    if (patience.aborted) signal(pid, 'SIGQUIT');
    await sleep(POLL_MS);
  }
}

/**
 * PostgreSQL takes a lock file for stale when its process is dead, and refuses to start when the number belongs to any other
 * process, which a restarted container makes likely. It passes over its own parent's number, so that is what we write; the
 * rest stays, because PostgreSQL still looks there for orphans of the dead server.
 */
async function disown(cluster: string, stale: Postmaster): Promise<void> {
  if ((await processIdentity(stale.pid)) === undefined && !exists(stale.pid)) return;
  const [, ...rest] = (await readFile(pidFile(cluster), 'utf8')).split('\n');
  await writeFile(pidFile(cluster), [String(process.pid), ...rest].join('\n'));
}

/** Whether the number is taken, be it by a zombie. */
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
