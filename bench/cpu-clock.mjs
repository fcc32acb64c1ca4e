// The CPU time of processes as the scheduler counts it, in nanoseconds. `/proc/PID/stat` counts it in steps of 10 ms. Linux only.
import { readdirSync, readFileSync } from 'node:fs';

const NANOSECONDS = 1e6;

/** @returns the contents of /proc/… at `path`; null when its process or thread has ended. */
function read(list, path) {
  try {
    return list(`/proc/${path}`, 'utf8');
  } catch {
    return null;
  }
}

/**
 * @param pidsOf returns the processes that are measured.
 * @returns a function that returns their CPU time in milliseconds. It keeps what it last read of a thread that has ended, so the time never
 * decreases.
 */
export function cpuClock(pidsOf) {
  const spent = new Map();
  return () => {
    for (const pid of pidsOf()) {
      for (const thread of read(readdirSync, `${pid}/task`) ?? []) {
        const schedule = read(readFileSync, `${pid}/task/${thread}/schedstat`);
        if (schedule) spent.set(thread, Number(schedule.split(' ')[0]) / NANOSECONDS);
      }
    }
    return [...spent.values()].reduce((sum, milliseconds) => sum + milliseconds, 0);
  };
}

/** @returns the processes whose parent is `pid`. */
export const childrenOf = (pid) =>
  read(readdirSync, '').filter((name) => {
    const stat = /^\d+$/.test(name) ? read(readFileSync, `${name}/stat`) : null;
    return stat !== null && Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid;
  });
