import { Injectable } from '@nestjs/common';

/**
 * Whether this process is draining. It reports "not ready" while it still serves requests, so that a load balancer stops
 * sending traffic first.
 */
@Injectable()
export class Readiness {
  private draining = false;
  private readonly listeners: (() => void)[] = [];

  get isDraining(): boolean {
    return this.draining;
  }

  drain(): void {
    this.draining = true;
    for (const listener of this.listeners.splice(0)) listener();
  }

  /** Calls `listener` when the process starts to drain. For responses that would otherwise not end by themselves. */
  onDrain(listener: () => void): void {
    this.listeners.push(listener);
  }
}
