import { type RequestHandler } from 'express';
import { type Readiness } from './readiness';

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
