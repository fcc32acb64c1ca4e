/** Waits for a database or a store are counted in ticks, so that a stall of the process or the machine counts as one tick. */
export const TICK_MS = 100;

/** Calls `expire` after this many ticks, unless the returned function is called before. Does not keep the process running. */
export function afterTicks(count: number, expire: () => void): () => void {
  let ticks = 0;
  const ticker = setInterval(() => {
    ticks += 1;
    if (ticks < count) return;
    clearInterval(ticker);
    expire();
  }, TICK_MS).unref();
  return () => clearInterval(ticker);
}
