/**
 * Measures the work of this thread, without the time that it waits for the store, so that optional work can end before it takes too long.
 */
export class WorkClock {
  private workedMs = 0;
  private readonly startedAt = performance.now();

  constructor(private readonly limits: { readonly workMs: number; readonly totalMs: number }) {}

  measure<T>(work: () => T): T {
    const since = performance.now();
    try {
      return work();
    } finally {
      this.workedMs += performance.now() - since;
    }
  }

  /** Whether the work, or the work and the waiting together, took longer than allowed. */
  get isOver(): boolean {
    return this.workedMs > this.limits.workMs || performance.now() - this.startedAt > this.limits.totalMs;
  }
}
