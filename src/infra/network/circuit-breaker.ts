/** Work was rejected immediately, because the server that it needs has not responded for a while. */
export class CircuitOpenError extends Error {
  constructor(server: string) {
    super(`${server} does not respond; the next attempt is made in some seconds`);
    this.name = 'CircuitOpenError';
  }
}

export interface CircuitOptions {
  /** Names the server in errors, such as `the mail server`. */
  readonly server: string;
  /** True for an error that shows that the server is unavailable, and not that it rejects this piece of work. */
  readonly isOutage: (error: unknown) => boolean;
  /** Called when the circuit opens and when it closes again. */
  readonly onChange: (isOpen: boolean) => void;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

/** Consecutive outages after which the circuit opens. */
const OUTAGES = 3;
const FIRST_PAUSE_MS = 5_000;
const LAST_PAUSE_MS = 60_000;

/**
 * Stops calling a server that does not respond. After three outages in a row the circuit is open: work is rejected immediately, instead of
 * waiting for a timeout each. After a pause, which doubles up to a minute, one piece of work tries the server; its success closes the
 * circuit.
 */
export class CircuitBreaker {
  private outages = 0;
  private pauseMs = FIRST_PAUSE_MS;
  private openUntil: number | null = null;
  private isTrying = false;
  private running = 0;
  private readonly now: () => number;

  constructor(private readonly options: CircuitOptions) {
    this.now = options.now ?? (() => performance.now());
  }

  /** True when there is nothing to remember: no work in progress and no outage. */
  get isIdle(): boolean {
    return this.running === 0 && this.outages === 0;
  }

  /** @throws CircuitOpenError while the circuit is open; otherwise what `work` throws. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const isTrial = this.openUntil !== null;
    if (this.openUntil !== null && (this.isTrying || this.now() < this.openUntil)) {
      throw new CircuitOpenError(this.options.server);
    }
    this.isTrying = isTrial;
    this.running += 1;
    try {
      const result = await work();
      this.close();
      return result;
    } catch (error) {
      if (this.options.isOutage(error)) this.countOutage(isTrial);
      else this.close();
      throw error;
    } finally {
      this.running -= 1;
      if (isTrial) this.isTrying = false;
    }
  }

  private close(): void {
    const wasOpen = this.openUntil !== null;
    this.outages = 0;
    this.pauseMs = FIRST_PAUSE_MS;
    this.openUntil = null;
    if (wasOpen) this.options.onChange(false);
  }

  private countOutage(isTrial: boolean): void {
    this.outages += 1;
    // Work that began before the circuit opened does not prolong the pause.
    if (this.openUntil !== null && !isTrial) return;
    if (this.outages < OUTAGES) return;
    if (this.openUntil === null) this.options.onChange(true);
    this.openUntil = this.now() + this.pauseMs;
    this.pauseMs = Math.min(this.pauseMs * 2, LAST_PAUSE_MS);
  }
}
