/** Lets so many pass at once; the others wait in the order they came. */
export class Semaphore {
  private readonly waiting: (() => void)[] = [];
  private readonly lanes = new Map<string, Semaphore>();
  private inside = 0;

  constructor(private readonly most: number) {}

  /**
   * Runs `work` when there is room for it, and passes its outcome on.
   * @param lane of which one at a time may wait or be let in, so that however many come by it, the others have their turns.
   */
  async pass<T>(work: () => Promise<T>, lane?: string): Promise<T> {
    if (lane !== undefined) return this.passIn(lane, () => this.pass(work));
    if (this.inside < this.most) this.inside += 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.inside -= 1;
    }
  }

  private async passIn<T>(lane: string, work: () => Promise<T>): Promise<T> {
    const line = this.lanes.get(lane) ?? new Semaphore(1);
    this.lanes.set(lane, line);
    try {
      return await line.pass(work);
    } finally {
      if (line.inside === 0) this.lanes.delete(lane);
    }
  }
}
