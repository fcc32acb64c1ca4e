import { Injectable } from '@nestjs/common';
import { type RequestHandler } from 'express';

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

  /** Calls `listener` when the process starts to drain. For responses that have no end, such as streams. */
  onDrain(listener: () => void): void {
    this.listeners.push(listener);
  }
}

/**
 * Middleware that adds `Connection: close` to responses while the process drains, including responses to requests that
 * arrived before the drain. Clients with keep-alive then reconnect to another process, and no connection is closed while a
 * client is sending.
 */
export const closeConnectionsWhileDraining =
  (readiness: Readiness): RequestHandler =>
  (_request, response, next) => {
    const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => typeof response;
    response.writeHead = (...head: unknown[]) => {
      if (readiness.isDraining && !response.headersSent) response.setHeader('Connection', 'close');
      return writeHead(...head);
    };
    next();
  };
