import { execFile } from 'node:child_process';
import { readFile, readlink, realpath } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const onLinux = process.platform === 'linux';

/**
 * An identity of a running process that differs from that of a later process with the same pid, which is common after a restart of a
 * container. Undefined when the process does not exist or is a zombie.
 */
export async function processIdentity(pid: number): Promise<string | undefined> {
  try {
    if (!onLinux) return await processStatus(pid);
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    // proc(5): the name, in parentheses, may contain any character; the state (field 3) and the start time (field 22) follow it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'latin1');
    return `${boot.trim()}/${fields[19]}`;
  } catch {
    return undefined;
  }
}

/** True when process `pid` runs and serves `directory`, judged by its current folder, or by `-D` where that is not readable. */
export async function worksIn(pid: number, directory: string): Promise<boolean> {
  if ((await processIdentity(pid)) === undefined) return false;
  try {
    if (onLinux) return (await readlink(`/proc/${pid}/cwd`)) === (await realpath(directory));
    const { stdout } = await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]);
    return stdout.includes(`-D ${directory}`);
  } catch {
    return false;
  }
}

async function processStatus(pid: number): Promise<string | undefined> {
  const { stdout } = await run('ps', ['-o', 'stat=,lstart=', '-p', String(pid)]);
  const [state = '', ...started] = stdout.trim().split(/\s+/);
  return state === '' || state.startsWith('Z') ? undefined : started.join(' ');
}
