/** Holds back work while at least one reason applies: the reader paused the upload, or the network is unavailable. */
export class Gate<Reason extends string> {
  private readonly reasons = new Set<Reason>();
  private waiting: (() => void)[] = [];

  get isOpen(): boolean {
    return this.reasons.size === 0;
  }

  isClosedBy(reason: Reason): boolean {
    return this.reasons.has(reason);
  }

  /** Sets whether this reason closes the gate. */
  set(reason: Reason, closes: boolean): void {
    if (closes) this.reasons.add(reason);
    else this.reasons.delete(reason);
    if (this.isOpen) this.wake();
  }

  /** Resolves when the gate is open. @throws the reason of the signal when it aborts. */
  async passed(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    while (!this.isOpen) {
      await new Promise<void>((resolve) => {
        this.waiting.push(resolve);
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
      signal.throwIfAborted();
    }
  }

  private wake(): void {
    const { waiting } = this;
    this.waiting = [];
    for (const resume of waiting) resume();
  }
}
