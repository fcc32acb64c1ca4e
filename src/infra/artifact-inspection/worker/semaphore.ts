/** Limits how many tasks run at once; the others wait in order. (p-limit has no lanes.) */
export class Semaphore {
  private readonly waiting: (() => void)[] = [];
  private readonly lanes = new Map<string, Semaphore>();
  private running = 0;

  constructor(private readonly max: number) {}

  /**
   * Runs `work` when a slot is free, and settles with its outcome.
   * @param lane tasks of one lane run one at a time and occupy at most one place in the queue, so they cannot starve other tasks.
   */
  async run<T>(work: () => Promise<T>, lane?: string): Promise<T> {
    if (lane !== undefined) return this.runInLane(lane, () => this.run(work));
    if (this.running < this.max) this.running += 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }

  private async runInLane<T>(name: string, work: () => Promise<T>): Promise<T> {
    const lane = this.lanes.get(name) ?? new Semaphore(1);
    this.lanes.set(name, lane);
    try {
      return await lane.run(work);
    } finally {
      if (lane.running === 0) this.lanes.delete(name);
    }
  }
}
