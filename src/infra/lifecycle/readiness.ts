import { Injectable } from '@nestjs/common';

/**
 * Whether this process is draining. It reports "not ready" while it still serves requests, so that a load balancer stops
 * sending traffic first.
 */
@Injectable()
export class Readiness {
  private draining = false;

  get isDraining(): boolean {
    return this.draining;
  }

  drain(): void {
    this.draining = true;
  }
}
