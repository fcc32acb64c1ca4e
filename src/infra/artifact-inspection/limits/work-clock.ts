/**
 * Measures the work of this thread, without the time that it waits for the store, so that optional work can end before it takes too long.
 */
export class WorkClock {
  private workedMs = 0;
  private readonly startedAt = performance.now();

  /** @param limits `pieceMs`: the longest time that counts for one piece. More is a stall of the process or the machine, not work. */
  constructor(
    private readonly limits: { readonly workMs: number; readonly totalMs: number; readonly pieceMs?: number },
  ) {}

  measure<T>(work: () => T): T {
    const since = performance.now();
    try {
      return work();
    } finally {
      this.count(since);
    }
  }

  /** Measures work that other threads do for this one. */
  async measureAsync<T>(work: () => Promise<T>): Promise<T> {
    const since = performance.now();
    try {
      return await work();
    } finally {
      this.count(since);
    }
  }

  /** Whether the work, or the work and the waiting together, took longer than allowed. */
  get isOver(): boolean {
    return this.workedMs > this.limits.workMs || performance.now() - this.startedAt > this.limits.totalMs;
  }

  private count(since: number): void {
    this.workedMs += Math.min(performance.now() - since, this.limits.pieceMs ?? Infinity);
  }
}
