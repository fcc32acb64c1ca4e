/** The time over which the speed is measured, so that it does not jump. */
const WINDOW_MS = 8_000;
/** A speed that was measured for less time says little. */
const MIN_MS = 1_500;
const STEP_MS = 250;

interface Sample {
  readonly at: number;
  readonly sent: number;
}

/** How fast bytes of an upload were sent lately. */
export class Speed {
  private samples: readonly Sample[] = [];

  /** Bytes per second; null before enough was seen. */
  get bytesPerSecond(): number | null {
    const [first, last] = [this.samples[0], this.samples.at(-1)];
    if (!first || !last || last.at - first.at < MIN_MS) return null;
    return ((last.sent - first.sent) / (last.at - first.at)) * 1000;
  }

  /** Call it whenever bytes may have been sent. */
  note(sent: number, at = performance.now()): void {
    if (at - (this.samples.at(-1)?.at ?? -Infinity) < STEP_MS) return;
    this.samples = [...this.samples.filter((sample) => at - sample.at <= WINDOW_MS), { at, sent }];
  }

  /** Forgets the past, when nothing is sent. */
  reset(): void {
    this.samples = [];
  }
}
