import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until a condition holds. The default bound is far above what a busy machine needs, and below Jest's time limit of a test.
 * @throws Error with the source of the condition when it does not hold in time.
 */
export async function until(condition: () => unknown, { seconds = 120, everyMs = 10 } = {}): Promise<void> {
  for (const end = performance.now() + seconds * 1000; !(await condition()); await sleep(everyMs)) {
    if (performance.now() > end) throw new Error(`Waited ${seconds} s in vain for ${condition.toString()}`);
  }
}

/** Reads until the value is the expected one, and returns it. @throws like `until`. */
export async function eventually<T>(read: () => Promise<T>, isExpected: (value: T) => boolean): Promise<T> {
  let value!: T;
  await until(async () => isExpected((value = await read())));
  return value;
}
