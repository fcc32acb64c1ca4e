import { setTimeout as sleep } from 'node:timers/promises';

/** Whether `work` settled (fulfilled or rejected) within the time. */
export async function within(milliseconds: number, work: Promise<unknown> | undefined): Promise<boolean> {
  const timer = new AbortController();
  const timeout = sleep(milliseconds, false, { signal: timer.signal }).catch(() => false);
  const done = Promise.resolve(work).then(
    () => true,
    () => true,
  );
  const inTime = await Promise.race([done, timeout]);
  timer.abort();
  return inTime;
}
