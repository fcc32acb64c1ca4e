/**
 * Limits the number of parts that are sent at the same time, over all uploads: a browser has six connections to a host, and other requests
 * need some of them. Waiting parts are served in the order of their requests.
 */
export class SendingSlots {
  private readonly waiting: (() => void)[] = [];

  constructor(private free = 3) {}

  /** Resolves with the function that gives the slot back. @throws the reason of the signal when it aborts. */
  async acquire(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.free > 0) this.free -= 1;
    else await this.turn(signal);
    let isHeld = true;
    return () => {
      if (isHeld) this.release();
      isHeld = false;
    };
  }

  private turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.waiting.splice(this.waiting.indexOf(enter), 1);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.waiting.push(enter);
    });
  }

  /** The slot goes directly to the next waiting part, so that no other caller can take it. */
  private release(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.free += 1;
  }
}
