/** The window of the average, and the slices in which it moves. */
const WINDOW_MS = 60_000;
const SLICES = 6;

export const SLICE_MS = WINDOW_MS / SLICES;

/**
 * Measures the average rate at which a client sends, over the last minute in which it could send. The time during which the service
 * does not read, because the store or memory is not available, does not count.
 */
export class TransferRate {
  /** The bytes of the last complete slices, the oldest first. */
  private slices: number[] = [];
  private sliceBytes = 0;
  private sliceMs = 0;
  private readingSince: number | undefined;

  constructor(private readonly minBytesPerSecond: number) {}

  /** The service reads from the client. */
  start(now: number): void {
    this.readingSince ??= now;
  }

  /** The service does not read from the client. */
  pause(now: number): void {
    this.advance(now);
    this.readingSince = undefined;
  }

  add(bytes: number): void {
    this.sliceBytes += bytes;
  }

  /** Whether the client was slower than the minimum over a whole window. Call it at least once per slice. */
  isTooSlow(now: number): boolean {
    this.advance(now);
    const bytes = this.slices.reduce((sum, each) => sum + each, 0);
    return this.slices.length === SLICES && bytes < (this.minBytesPerSecond * WINDOW_MS) / 1000;
  }

  private advance(now: number): void {
    if (this.readingSince === undefined) return;
    this.sliceMs += now - this.readingSince;
    this.readingSince = now;
    if (this.sliceMs < SLICE_MS) return;
    this.slices = [...this.slices, this.sliceBytes].slice(-SLICES);
    this.sliceBytes = 0;
    this.sliceMs = 0;
  }
}
