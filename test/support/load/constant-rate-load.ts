export interface ConstantRateReport {
  readonly started: number;
  /** The number of starts that were delayed because `maxOpen` were open: the machine is too slow for the rate. */
  readonly delayed: number;
  readonly seconds: number;
}

/**
 * Starts work at a constant rate, regardless of how much is still open, until `isOver`; resolves when all work is complete.
 * At `maxOpen` it waits, so that a machine that is too slow gets a lower rate instead of an unbounded queue.
 */
export async function constantRateLoad(
  { ratePerSecond, maxOpen }: { readonly ratePerSecond: number; readonly maxOpen: number },
  work: (n: number) => Promise<void>,
  isOver: () => boolean,
): Promise<ConstantRateReport> {
  const open = new Set<Promise<void>>();
  const startedAt = performance.now();
  let delayed = 0;
  let started = 0;
  for (let dueAt = startedAt; !isOver(); dueAt += 1000 / ratePerSecond) {
    const early = dueAt - performance.now();
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
    if (open.size >= maxOpen) {
      delayed += 1;
      await Promise.race(open);
      dueAt = Math.max(dueAt, performance.now());
    }
    const running: Promise<void> = work(started++).finally(() => open.delete(running));
    open.add(running);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  await Promise.all(open);
  return { started, delayed, seconds };
}
