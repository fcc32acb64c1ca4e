import { Injectable } from '@nestjs/common';

/** Whether this process wants traffic. It stops wanting it before it stops answering, so that a balancer can look away. */
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
