export interface ConstantRateReport {
  readonly started: number;
  /** How often a start was put off because too many were open: the machine is too slow for the rate. */
  readonly putOff: number;
  readonly seconds: number;
}

/**
 * Starts work at a rate, whatever has been answered by then, until it is told to end; resolves when all is over. Only when `most`
 * are open it waits: a machine that is too slow for the rate gets a lower one instead of a queue without end.
 */
export async function constantRateLoad(
  { ratePerSecond, most }: { readonly ratePerSecond: number; readonly most: number },
  work: (n: number) => Promise<void>,
  isOver: () => boolean,
): Promise<ConstantRateReport> {
  const open = new Set<Promise<void>>();
  const beganAt = performance.now();
  let putOff = 0;
  let started = 0;
  for (let dueAt = beganAt; !isOver(); dueAt += 1000 / ratePerSecond) {
    const early = dueAt - performance.now();
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
    if (open.size >= most) {
      putOff += 1;
      await Promise.race(open);
      dueAt = Math.max(dueAt, performance.now());
    }
    const one: Promise<void> = work(started++).finally(() => open.delete(one));
    open.add(one);
  }
  const seconds = (performance.now() - beganAt) / 1000;
  await Promise.all(open);
  return { started, putOff, seconds };
}
